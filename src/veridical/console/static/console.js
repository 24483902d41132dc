// What the pages can do beyond being read: copy, local times, time left, keys, and addresses that
// follow a conversation. Everything works without it.
"use strict";

const localTimes = (root) => {
  for (const time of root.querySelectorAll("time[datetime]:not([data-local])")) {
    const moment = new Date(time.dateTime);
    if (Number.isNaN(moment.getTime())) continue;
    time.title = time.textContent;
    time.textContent = moment.toLocaleString(document.documentElement.lang, {
      dateStyle: "medium",
      timeStyle: "short",
    });
    time.dataset.local = "";
  }
};

const inWords = new Intl.RelativeTimeFormat(document.documentElement.lang, { numeric: "always" });

// How long there is left, beside the moment itself: figures alone read as a time of day.
const countDown = () => {
  for (const place of document.querySelectorAll("[data-left]")) {
    const seconds = Math.round((new Date(place.dataset.left) - Date.now()) / 1000);
    const [size, unit] = seconds >= 7200 ? [3600, "hour"] : seconds >= 120 ? [60, "minute"] : [1, "second"];
    place.textContent = seconds < 0 ? "" : `(${inWords.format(Math.floor(seconds / size), unit)})`;
  }
};

// On a phone the pages are a line that scrolls. Only that line is moved, never the page.
const showCurrentPage = () => {
  const line = document.querySelector(".bar nav");
  const current = line?.querySelector("[aria-current]");
  if (!current || line.scrollWidth <= line.clientWidth) return;
  const [around, inside] = [line.getBoundingClientRect(), current.getBoundingClientRect()];
  line.scrollLeft += inside.left + inside.width / 2 - around.left - around.width / 2;
};

document.addEventListener("click", async (event) => {
  const button = event.target.closest(".copy");
  if (!button) return;
  const source = document.querySelector(button.dataset.copy);
  await navigator.clipboard.writeText(source.textContent);
  button.textContent = "✓";
});

let asked = "";
document.addEventListener("submit", (event) => {
  asked = event.target.elements.question?.value ?? "";
}, true);

document.addEventListener("turn", (event) => {
  const address = new URL(location.href);
  address.searchParams.append("t", event.detail.data);
  history.replaceState(null, "", address);
  const question = document.querySelector("#question");
  // Whoever types the next question before this answer is there keeps it.
  if (question?.value === asked) question.value = "";
  document.querySelector("#turns > :last-child")?.scrollIntoView({ block: "start" });
});

document.addEventListener("keydown", (event) => {
  if (event.target.closest("input, textarea, select") || event.ctrlKey || event.metaKey) return;
  const meant = document.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
  if (meant && !event.altKey) {
    // A key decides nothing: it leads to the button, and Enter presses that.
    meant.focus();
    const hint = document.querySelector("#press");
    if (hint) hint.textContent = hint.dataset.text.replace("…", meant.textContent.trim());
  }
  if (event.key === "/") {
    event.preventDefault();
    document.querySelector("#question")?.focus();
  }
});

document.addEventListener("done", (event) => {
  if (event.target.closest("[data-reload-at-end]")) location.reload();
});

document.addEventListener("htmx:after:swap", () => localTimes(document));

localTimes(document);
showCurrentPage();
countDown();
setInterval(countDown, 1000);
