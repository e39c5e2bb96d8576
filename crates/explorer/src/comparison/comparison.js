// Filters, search, steps from change to change, and their state in the address. The page can be read, folded and printed without it.
"use strict";
const all = (selector) => [...document.querySelectorAll(selector)];
const form = document.querySelector(".filters"), search = document.querySelector(".tools [type=search]");
const status = document.querySelector(".tools [role=status]"), reset = document.querySelector("[data-reset]");
const names = [...new Set(all(".filters input").map((input) => input.name))];
const boxes = all(".group, .fold, .rows");
const rows = all(".row").map((element) => {
  const around = [];
  for (let box = element.closest(".group, .fold, .rows"); box; box = box.parentElement.closest(".group, .fold, .rows")) around.push(box);
  const keys = new Set(element.dataset.keys.split(" "));
  return { element, keys, around, isStep: element.classList.contains("step"), isShown: true };
});
/** How many provisions some rows are about: one that moved has two rows. */
const count = (some) => new Set(some.map(({ element }) => element.dataset.movedTo ?? element.id)).size;
const total = count(rows);
let current = null;

const text = (row) => (row.text ??= [...row.element.querySelectorAll(".older, .newer")].map((cell) => cell.textContent).join(" ").toLowerCase());
const exports = all("[data-export]").map((link) => ({ link, address: link.getAttribute("href") }));

function chosen(name) {
  return all(`.filters [name=${name}]:checked`).map((input) => input.value);
}

/** Shows the rows that all filters and all words of the search leave. */
function filter() {
  const sets = names.map(chosen).filter((set) => set.length > 0);
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  const isFiltered = sets.length + words.length > 0, shown = new Map();
  for (const row of rows) {
    row.isShown = sets.every((set) => set.some((key) => row.keys.has(key))) && words.every((word) => text(row).includes(word));
    if (row.element.hidden === row.isShown) row.element.hidden = !row.isShown;
    if (row.isShown) row.around.forEach((box) => shown.set(box, (shown.get(box) ?? 0) + 1));
  }
  for (const box of boxes) {
    box.hidden = !shown.has(box);
    if (box.localName !== "details") continue;
    box.open = isFiltered && !box.hidden;
    const [number, word] = box.querySelectorAll("summary > b, summary > [data-one]");
    number.textContent = shown.get(box) ?? 0;
    word.textContent = shown.get(box) === 1 ? word.dataset.one : word.dataset.several;
  }
  reset.hidden = !isFiltered;
  const chosenOnes = names.flatMap((name) => chosen(name).map((value) => [name, value]));
  if (words.length > 0) chosenOnes.push(["q", words.join(" ")]);
  const query = new URLSearchParams(chosenOnes).toString();
  for (const { link, address } of exports) link.setAttribute("href", query ? `${address}?${query}` : address);
  say();
}

const steps = () => rows.filter((row) => row.isShown && row.isStep);

function say() {
  const all = steps(), at = all.findIndex((row) => row.element === current);
  const words = status.dataset;
  const shown = reset.hidden ? "" : `, ${count(rows.filter((row) => row.isShown))} ${words.of} ${total} ${words.rows}`;
  status.textContent = `${at < 0 ? "" : `${at + 1} ${words.of} `}${all.length} ${all.length === 1 ? words.change : words.changes}${shown}`;
}

/** Goes to an element of the page, and opens what it is folded in. */
function go(id) {
  const target = document.getElementById(id);
  if (!target) return;
  const row = target.closest(".row");
  for (let box = target.closest("[hidden], details"); box; box = box.parentElement.closest("[hidden], details")) {
    box.hidden = false;
    if (box.localName === "details") box.open = true;
  }
  current?.classList.remove("current");
  current = row;
  const shown = row ?? target;
  row?.classList.add("current");
  shown.tabIndex = -1;
  shown.focus({ preventScroll: true });
  land(shown, 5);
  say();
}

/** Scrolls to an element, and again in the next frames: rows get their height only as they come near. */
function land(element, frames) {
  element.scrollIntoView();
  if (frames > 0) requestAnimationFrame(() => document.activeElement === element && land(element, frames - 1));
}

function step(direction) {
  const all = steps(), at = all.findIndex((row) => row.element === current);
  const next = all[at < 0 && direction < 0 ? all.length - 1 : at + direction];
  if (!next) return;
  go(next.element.id);
  write();
}

/** The state as a fragment: `#n12`, or `#changed=bound,quantity&q=lid&at=n12`. */
function write(method = "replaceState", at = current?.id) {
  const pairs = names.map((name) => [name, chosen(name).join(",")]);
  pairs.push(["q", search.value.trim()]);
  const state = pairs.filter(([, value]) => value).map(([name, value]) => `${name}=${encodeURIComponent(value).replaceAll("%2C", ",")}`);
  if (at) state.push(state.length > 0 ? `at=${at}` : at);
  history[method](null, "", `#${state.join("&")}`);
}

function read() {
  const fragment = location.hash.slice(1);
  const state = new URLSearchParams(fragment.includes("=") ? fragment : { at: fragment });
  for (const input of all(".filters input")) input.checked = (state.get(input.name) ?? "").split(",").includes(input.value);
  search.value = state.get("q") ?? "";
  filter();
  if (state.get("at")) go(state.get("at"));
}

function changed() {
  filter();
  write();
}

form.addEventListener("change", changed);
form.addEventListener("submit", (event) => event.preventDefault());
search.addEventListener("input", changed);
reset.addEventListener("click", () => {
  form.reset();
  search.value = "";
  changed();
  if (current) go(current.id);
});
for (const button of all("[data-step]")) button.addEventListener("click", () => step(Number(button.dataset.step)));
document.addEventListener("keydown", (event) => {
  const isTyped = event.target.matches("input[type=search]") || event.ctrlKey || event.altKey || event.metaKey;
  if (!isTyped && (event.key === "j" || event.key === "k")) step(event.key === "j" ? 1 : -1);
});
document.addEventListener("click", (event) => {
  const link = event.target.closest("a[href^='#']");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const id = link.hash.slice(1);
  write("pushState", id);
  go(id);
});
addEventListener("popstate", read);
all(".scripted").forEach((element) => (element.hidden = false));
read();
