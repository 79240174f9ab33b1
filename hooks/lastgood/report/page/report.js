"use strict";
// Filters, keys and texts on demand. Without it the page shows everything; it reads the page and fetches nothing.
(() => {
  const $ = (selector, within = document) => within.querySelector(selector);
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const cases = all(".case");
  const form = $(".filters");
  const [search, prompt, kind] = ["#search", "#prompt", "#kind"].map((id) => $(id));
  const statuses = all("input[name=status]", form);
  const promptOf = new Map(cases.map((node) => [node, node.closest(".prompt").dataset.prompt]));
  let texts = null; // what each case says, in lower case; made at the first search
  let shown = cases;
  let due = 0;

  const whole = (() => {
    let found = null;
    return () => (found ??= JSON.parse($("#whole").textContent));
  })();

  function textOf(node) {
    const kept = node.id in whole() ? whole()[node.id].join("\n") : "";
    return `${node.textContent}\n${kept}`.toLowerCase();
  }

  function filter() {
    due = 0;
    const words = search.value.trim().toLowerCase();
    if (words && !texts) texts = new Map(cases.map((node) => [node, textOf(node)]));
    const wanted = new Set(statuses.filter((box) => box.checked).map((box) => box.value));
    const ofPrompt = prompt?.value ?? "";
    const ofKind = kind?.value ?? "";
    shown = cases.filter((node) =>
      wanted.has(node.dataset.status) &&
      (!ofPrompt || promptOf.get(node) === ofPrompt) &&
      (!ofKind || node.dataset.kinds.split(" ").includes(ofKind)) &&
      (!words || texts.get(node).includes(words)));
    const visible = new Set(shown);
    for (const node of cases) node.classList.toggle("hidden", !visible.has(node));
    for (const group of all(".passed")) group.classList.toggle("hidden", !$(".case:not(.hidden)", group));
    for (const group of all(".prompt")) {
      group.classList.toggle("hidden", cases.length > 0 && !$(".case:not(.hidden)", group));
    }
    $("#empty").hidden = shown.length > 0 || cases.length === 0;
    $("#shown").textContent = `${shown.length} of ${cases.length} cases`;
  }

  const soon = () => { due ||= setTimeout(filter, 30); };

  function clear() {
    search.value = "";
    for (const list of [prompt, kind]) if (list) list.value = "";
    for (const box of statuses) box.checked = true;
    filter();
  }

  function step(by) {
    if (!shown.length) return;
    const here = document.activeElement?.closest?.(".case");
    let at = shown.indexOf(here);
    if (at < 0) { // from where the reader is
      const below = shown.findIndex((node) => node.getBoundingClientRect().bottom > 90);
      at = below < 0 ? shown.length - 1 : below - (by > 0 ? 1 : 0);
    }
    const next = shown[Math.min(shown.length - 1, Math.max(0, at + by))];
    next.focus({ preventScroll: true });
    next.scrollIntoView({ block: "start", behavior: "instant" });
  }

  function fold() {
    const here = document.activeElement?.closest?.(".case");
    const folds = here ? all("details", here) : [];
    const open = folds.some((node) => !node.open);
    for (const node of folds) node.open = open;
  }

  function showWhole(button) {
    const pair = whole()[button.dataset.whole];
    const box = document.createElement("div");
    box.className = "texts";
    ["accepted", "now"].forEach((name, side) => {
      if (!pair[side]) return;
      const text = document.createElement("pre");
      text.className = "text";
      text.tabIndex = 0;
      text.setAttribute("aria-label", `${name}, whole`);
      text.textContent = pair[side];
      box.append(text);
    });
    button.closest(".more").replaceWith(box);
    $("pre", box)?.focus();
  }

  const keys = {
    j: () => step(1),
    k: () => step(-1),
    o: fold,
    "/": () => { search.focus(); search.select(); },
    "?": () => $("#keys").showModal(),
  };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || $("#keys").open) return;
    if (event.key === "Escape") {
      if (document.activeElement === search) search.blur();
      else if (search.value) clear();
      return;
    }
    if (event.target.matches("input[type=search], select, textarea") || !(event.key in keys)) return;
    event.preventDefault();
    keys[event.key]();
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", soon);
  $("#clear").addEventListener("click", clear);
  $("#help").addEventListener("click", keys["?"]);
  document.addEventListener("click", (event) => {
    const button = event.target.closest("button.whole");
    if (button) showWhole(button);
  });
  const closed = new Set();
  addEventListener("beforeprint", () => {
    for (const node of all("details:not([open])")) { closed.add(node); node.open = true; }
  });
  addEventListener("afterprint", () => {
    for (const node of closed) node.open = false;
    closed.clear();
  });
  form.hidden = false;
  filter();
})();
