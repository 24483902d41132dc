// Keys lead somewhere and decide nothing: / to the question, j and k through what the page lists, ?
// to the list of keys.
"use strict";

const ITEMS = ".turn, .cards > .card, table.list tbody tr, .proposal, .conversations li";
const step = (forward) => {
  const items = [...main.querySelectorAll(ITEMS)].filter((each) => each.checkVisibility());
  const at = items.findIndex((each) => each.contains(document.activeElement));
  const item = items[at < 0 ? (forward ? 0 : items.length - 1) : at + (forward ? 1 : -1)];
  if (!item) return;
  const link = item.querySelector("a[href]");
  const place = item.matches(".turn") || !link ? item : link;
  if (place === item) item.tabIndex = -1;
  place.focus();
  item.scrollIntoView({ block: "nearest" });
};

const KEYS = {
  "/": () => (document.querySelector("#question") ?? main.querySelector("input[type=search]"))?.focus(),
  j: () => step(true),
  k: () => step(false),
  "?": () => document.querySelector("dialog.keys")?.showModal(),
};

document.addEventListener("keydown", (event) => {
  const isTyping = event.target.closest("input, textarea, select, dialog[open]");
  if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  const meant = document.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
  if (meant) {
    meant.focus();
    const hint = document.querySelector("#press");
    if (hint) hint.textContent = hint.dataset.text.replace("…", meant.textContent.trim());
  } else if (event.key in KEYS) {
    event.preventDefault();
    KEYS[event.key]();
  }
});
