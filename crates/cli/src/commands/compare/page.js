// Hides the heading of a section whose rows are all filtered away.
document.querySelector(".filters").addEventListener("change", () => {
  for (const body of document.querySelectorAll("tbody")) {
    body.hidden = false;
    body.hidden = ![...body.querySelectorAll("tr.row")].some((row) => row.getClientRects().length > 0);
  }
});
