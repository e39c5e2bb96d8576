// Details in the panel, keys, copies and sorted tables. Every page can be read without it.
const all = (selector, root = document) => [...root.querySelectorAll(selector)];
const one = (selector, root = document) => root.querySelector(selector);
const words = document.body.dataset, reader = one(".reader"), preview = one("[data-preview]");
const status = one("[data-status]"), tree = one(".tree"), article = one(".reader article[data-urn]");
const say = (text) => (status.textContent = text);
const element = (name, own) => Object.assign(document.createElement(name), own);
let shown = null, opener = null;

async function copy(text) {
  await navigator.clipboard.writeText(text);
  say(words.copied);
}

async function other(address) {
  const late = setTimeout(() => say(words.loading), 300);
  try {
    const response = await fetch(address);
    if (!response.ok) throw new Error(response.status);
    say("");
    return new DOMParser().parseFromString(await response.text(), "text/html");
  } catch {
    say(words.away);
    return null;
  } finally {
    clearTimeout(late);
  }
}

function close() {
  if (!preview || preview.hidden) return;
  preview.hidden = true;
  one("[data-hint]").hidden = false;
  one(".shown")?.classList.remove("shown");
  shown = null;
  opener?.focus();
}

/** Shows a copy of an element in the panel, with a link to it. */
function show(key, source, address) {
  const content = source.cloneNode(true);
  for (const part of [content, ...all("[id]", content)]) part.removeAttribute("id");
  const isPage = content.dataset.panel !== undefined;
  all(isPage ? ".csv" : ".pilcrow, .csv, section", content).forEach((part) => part.remove());
  const link = element("a", { href: address, textContent: words.go, className: "button" });
  one("[data-content]", preview).replaceChildren(isPage ? content : wrap(content), link);
  prepare(preview);
  preview.hidden = false;
  one("[data-hint]").hidden = true;
  shown = key;
}

/** The style of a text is that of an article. */
function wrap(content) {
  const box = element("article", { lang: article.lang });
  box.dataset.urn = "";
  box.append(content);
  return box;
}

/** The target of a link, here or in another section of a large standard. */
async function target(link) {
  const id = decodeURIComponent(link.hash.slice(1));
  const here = document.getElementById(id);
  if (here) return here;
  return (await other(link.href))?.getElementById(id);
}

async function showTarget(link) {
  opener = link;
  const found = await target(link);
  if (found) show(link.href, found.matches("a, sup, span") ? found.closest("p, li, td, figure") ?? found : found, link.href);
}

async function showProvision(mark) {
  const id = mark.dataset.group ?? mark.id, address = reader.dataset.provisionPage + encodeURIComponent(id);
  opener = mark;
  one(".shown")?.classList.remove("shown");
  const page = await other(address), part = page && one("[data-panel]", page);
  if (!part) return;
  show(id, part, address);
  mark.classList.add("shown");
}

/** Buttons that need the script. */
function prepare(root) {
  all(".scripted:not([data-preview]):not([data-hint])", root).forEach((part) => (part.hidden = false));
  for (const button of all("[data-copy]", root)) button.onclick = () => copy(button.dataset.copy);
  for (const link of all("[data-copy-file]", root)) {
    link.onclick = async (event) => {
      event.preventDefault();
      copy(await (await fetch(link.href)).text());
    };
  }
  for (const table of all("table[data-sortable], article table", root)) {
    const head = table.tHead?.rows, body = table.tBodies[0];
    if (!head?.length || !body || table.dataset.ready) continue;
    table.dataset.ready = "";
    if (!table.closest(".wide")) table.tabIndex = 0;
    const button = element("button", { type: "button", className: "csv", textContent: words.copyCsv });
    button.onclick = () => copy([...table.rows].map((row) => [...row.cells].map(field).join(",")).join("\r\n") + "\r\n");
    (table.closest(".wide") ?? table).after(button);
    const isPlain = head.length === 1 && body.rows.length > 2 && all("[rowspan], [colspan]", table).length === 0;
    if (isPlain) [...head[0].cells].forEach((cell, column) => sortable(cell, column, body));
  }
}

const plain = (cell) => cell.innerText.trim().replace(/\s+/g, " ");

/** A field of CSV (RFC 4180); a spreadsheet would take some beginnings for a formula. */
function field(cell) {
  const text = plain(cell).replace(/ [↕↑↓]$/, ""), safe = /^[=+@\t]|^-(?![\d.,])/.test(text) ? `'${text}` : text;
  return /[",\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function sortable(cell, column, body) {
  const button = element("button", { type: "button", className: "sort", title: words.sort });
  button.append(...cell.childNodes);
  cell.append(button);
  button.onclick = () => {
    const down = cell.ariaSort === "ascending";
    all("[aria-sort]", cell.parentNode).forEach((sorted) => sorted.removeAttribute("aria-sort"));
    cell.ariaSort = down ? "descending" : "ascending";
    const compare = new Intl.Collator(document.documentElement.lang, { numeric: true }).compare;
    const rows = [...body.rows].sort((a, b) => compare(plain(a.cells[column]), plain(b.cells[column])));
    body.append(...(down ? rows.reverse() : rows));
  };
}

const isMarked = (mark) => one(`[data-marks="${mark.dataset.provision}"]`)?.checked !== false;
const hits = all("[data-hit]");
const marks = () => hits.length ? hits : all(".text [data-provision][id]").filter(isMarked);
const headings = () => all(":is(h2, h3, h4, h5, h6)", article);

/** The next or previous of some elements, from the one in focus or at the top of the window. */
function step(elements, direction) {
  const from = elements.indexOf(document.activeElement);
  const near = elements.findIndex((part) => part.getBoundingClientRect().top > 8);
  const next = from >= 0 ? from + direction : direction > 0 ? near : (near < 0 ? elements.length : near) - 1;
  const part = elements[next];
  if (!part) return;
  part.tabIndex = Math.max(part.tabIndex, -1);
  part.focus({ preventScroll: true });
  part.scrollIntoView({ block: "start" });
}

if (article) {
  // An address of a section that this page of a large standard does not have.
  const id = location.hash.slice(1);
  if (id && !location.search.includes("at=") && !document.getElementById(decodeURIComponent(id))) location.replace(`?at=${id}#${id}`);
  all("[data-provision][id]", article).forEach((mark) => (mark.tabIndex = 0));
  for (const heading of headings()) {
    const id = heading.closest("section[id]")?.id;
    const link = element("a", { href: `#${id}`, className: "pilcrow", textContent: "¶", title: words.copyLink, ariaLabel: words.copyLink });
    const part = encodeURIComponent(id), { shared, service } = reader.dataset;
    link.onclick = () => copy(shared ? `${shared}?at=${part}#${part}` : `${service}?section=${part}`);
    heading.append(link);
  }
  one("[data-hint]").hidden = false;
  one("[data-close]").onclick = close;
  document.addEventListener("click", (event) => {
    const link = event.target.closest("article[data-urn] a[href*='#']:not(.pilcrow):not([data-type=back]), .preview a[data-term]");
    if (link) {
      if (event.ctrlKey || event.metaKey || event.shiftKey || shown === link.href) return;
      event.preventDefault();
      showTarget(link);
    } else if (!event.target.closest("a, button") && !getSelection().toString()) {
      const mark = event.target.closest(".text [data-provision]");
      if (mark && isMarked(mark)) showProvision(mark);
    }
  });
  document.addEventListener("focusin", (event) => {
    if (event.target.matches(".text a[data-term]:focus-visible")) showTarget(event.target);
  });
  const links = new Map(all("[data-section]", tree).map((link) => [link.dataset.section, link]));
  const box = one(".tree-box", tree), now = one("[data-now]", tree), narrow = matchMedia("(max-width: 52rem)");
  box.open = !narrow.matches;
  tree.addEventListener("click", (event) => { if (narrow.matches && event.target.closest("a")) box.open = false; });
  let current = null;
  const follow = () => {
    const sections = all("section[id]", article), top = (part) => part.getBoundingClientRect().top;
    const aim = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const isSeen = aim && article.contains(aim) && top(aim) >= 0 && top(aim) < innerHeight;
    // An anchor stops below what sticks to the top of the window; a section begins up to some pixels lower.
    const edge = sections[0] ? parseFloat(getComputedStyle(sections[0]).scrollMarginTop) + 8 : 0;
    const above = sections.filter((section) => top(section) <= edge).at(-1);
    const link = (isSeen && links.get(aim.closest("section[id]")?.id)) || links.get(above?.id);
    if (!link || link === current) return;
    current?.removeAttribute("aria-current");
    current = link;
    link.setAttribute("aria-current", "location");
    now.textContent = link.textContent;
    const { top: begin, bottom } = link.getBoundingClientRect();
    for (let part = link.parentElement.closest("details"); part && part !== box; part = part.parentElement.closest("details")) part.open = true;
    if (begin < 60 || bottom > innerHeight - 60) box.scrollBy(0, begin - innerHeight / 2);
  };
  let wait = 0;
  addEventListener("scroll", () => { clearTimeout(wait); wait = setTimeout(follow, 60); }, { passive: true });
  addEventListener("hashchange", follow);
  follow();
  one(".chips")?.addEventListener("change", () => {
    const address = new URL(location), hidden = all("[data-marks]:not(:checked)").map((box) => box.dataset.marks);
    address.searchParams.delete("hide");
    hidden.forEach((name) => address.searchParams.append("hide", name));
    history.replaceState(null, "", address);
  });
}

prepare(document);
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") return close();
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.matches("input:not([type=checkbox]), select, textarea")) return;
  const mark = event.target.matches(".text [data-provision][id]") ? event.target : null;
  const keys = {
    "/": () => one(".find input").focus(),
    "?": () => { const list = one(".keys"); list.open = !list.open; list.scrollIntoView(); one("summary", list).focus(); },
    t: () => tree && one("a, summary", tree).focus(),
    c: () => one("[data-compare]")?.click(),
    j: () => step(marks(), 1),
    k: () => step(marks(), -1),
    n: () => article && step(headings(), 1),
    p: () => article && step(headings(), -1),
    Enter: () => mark && showProvision(mark),
    " ": () => mark && showProvision(mark),
  };
  if (!keys[event.key] || ((event.key === "Enter" || event.key === " ") && !mark)) return;
  event.preventDefault();
  keys[event.key]();
});
addEventListener("click", (event) => {
  const link = event.target.closest?.("a[href]");
  if (link && !event.defaultPrevented && link.origin === location.origin && !link.hash) setTimeout(() => say(words.loading), 300);
});
addEventListener("pageshow", () => say(""));
