// What the pages can do beyond being read: copy, local times, time left, and what was typed
// is kept. Everything can be read without it.
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

// What can be done until a moment is gone after it.
const hideLate = () => {
  for (const place of document.querySelectorAll("[data-until]")) {
    place.hidden = new Date(place.dataset.until) < Date.now();
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

// One answer is printed, not all of the conversation around it.
document.addEventListener("click", (event) => {
  const turn = event.target.closest("button.print")?.closest(".turn, main");
  if (!turn) return;
  turn.classList.add("printed");
  window.print();
  turn.classList.remove("printed");
});

// A server that can't be reached: the notice is where the answer would be, and the question stays
// to be sent again.
const lost = (again) => {
  const notice = document.querySelector("#lost").content.firstElementChild.cloneNode(true);
  notice.querySelector(".retry").addEventListener("click", again);
  return notice;
};

// A page that follows something tries again by itself.
const main = document.querySelector("main");
const isBack = () => main.querySelector(":scope > .lost")?.remove();
const isLost = (event) => {
  if (event.target.matches("form")) return;
  isBack();
  main.prepend(lost(() => location.reload()));
};
document.addEventListener("htmx:error", isLost);
document.addEventListener("htmx:sse:error", isLost);
document.addEventListener("htmx:sse:after:connection", isBack);
document.addEventListener("htmx:after:request", isBack);

// What was typed and not sent stays in this window, for the same page in another language or after
// another page. Passwords and files are not kept.
const page = new URL(document.querySelector(".languages [name=next]")?.value ?? "", location);
const typedHere = () => {
  const shown = document.querySelector("[data-conversation]");
  return `typed ${shown ? `/console/c/${shown.dataset.conversation}` : page.pathname}`;
};
const sent = new WeakSet();
let signsOut = false;
const typedFields = () => {
  const unlike = ["hidden", "password", "file", "checkbox", "radio"].map((type) => `[type=${type}]`);
  const fields = main.querySelectorAll(`form :is(textarea, input:not(${unlike}))`);
  return Object.entries(Object.groupBy(fields, (field) => `${field.form.getAttribute("action")} ${field.name}`))
    .flatMap(([name, alike]) => alike.map((field, place) => [`${name} ${place}`, field]));
};
// A question that still waits for its answer is typed as well.
const waits = () => document.querySelector(".asking .question")?.textContent ?? "";
const valueOf = (field) => field.value || (field.id === "question" ? waits() : "");
const isTyped = (field) => valueOf(field) !== (field.id === "question" ? "" : field.defaultValue);

addEventListener("pagehide", () => {
  if (signsOut) {
    sessionStorage.clear();
    return;
  }
  const typed = typedFields().filter(([, field]) => isTyped(field));
  const values = (fields) => Object.fromEntries(fields.map(([name, field]) => [name, valueOf(field)]));
  const unsent = typed.filter(([, field]) => !sent.has(field.form));
  sessionStorage.setItem(typedHere(), JSON.stringify(values(unsent)));
  if (unsent.length === typed.length) return;
  const where = { key: typedHere(), address: page.pathname + page.search, values: values(typed) };
  sessionStorage.setItem(SENT, JSON.stringify(where));
});

// A form that met the sign-in instead of its page was not received: after the sign-in, the same page
// has it again.
const SENT = "sent";
const notReceived = () => {
  const before = JSON.parse(sessionStorage.getItem(SENT) ?? "null");
  sessionStorage.removeItem(SENT);
  const signIn = main.querySelector("form[action='/console/signin']");
  if (!before || !signIn) return;
  sessionStorage.setItem(before.key, JSON.stringify(before.values));
  signIn.elements.next.value = before.address;
  for (const link of main.querySelectorAll("a[href*='next=']")) {
    link.search = new URLSearchParams({ next: before.address });
  }
};

const bringBackTyped = () => {
  const values = JSON.parse(sessionStorage.getItem(typedHere()) ?? "{}");
  for (const [name, field] of typedFields()) {
    if (!(name in values)) continue;
    field.value = values[name];
    const folded = field.closest("details");
    if (folded) folded.open = true;
  }
};

document.addEventListener("submit", (event) => {
  if (!event.target.matches("[hx-post]")) sent.add(event.target);
  signsOut = event.target.matches("[action$='/signout']");
});

// With scripts a language is chosen without sending what was typed.
for (const each of document.querySelectorAll(".languages .typed")) each.remove();
for (const each of document.querySelectorAll(".languages button")) each.removeAttribute("form");

document.addEventListener("done", (event) => {
  if (event.target.closest("[data-reload-at-end]")) location.reload();
});

document.addEventListener("htmx:after:swap", () => localTimes(document));

localTimes(document);
showCurrentPage();
countDown();
setInterval(() => {
  countDown();
  hideLate();
}, 1000);
notReceived();
bringBackTyped();
