// What the pages can do beyond being read: copy, local times, time left, keys, and addresses that
// follow a conversation. Everything can be read without it.
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

// The conversation is in the address, and in the cookie that brings it back from another page: that
// of the window which is looked at, for there may be several.
const conversation = document.querySelector("[data-conversation]");
const lastTurn = () => document.querySelector("#turns > :last-child");
const rememberConversation = () => {
  if (!conversation) return;
  const query = conversation.dataset.conversation;
  const address = query ? `${location.pathname}?${query}` : location.pathname;
  const last = lastTurn() ? `#${lastTurn().id}` : "";
  const ends = query ? "" : "; max-age=0";
  const secure = location.protocol === "https:" ? "; secure" : "";
  document.cookie = `veridical_conversation=${query}; path=/console; samesite=strict${secure}${ends}`;
  history.replaceState(null, "", address + location.hash);
  for (const next of document.querySelectorAll("input[name=next]")) next.value = address + last;
};

let sentQuestion = "";
document.addEventListener("submit", (event) => {
  sentQuestion = event.target.elements.question?.value ?? "";
}, true);

document.addEventListener("turn", (event) => {
  conversation.dataset.conversation = event.detail.data;
  rememberConversation();
  const question = document.querySelector("#question");
  // A next question that is typed before this answer is there stays.
  if (question?.value === sentQuestion) question.value = "";
  lastTurn()?.scrollIntoView({ block: "start" });
});

// A server that can't be reached: the notice is where the answer would be, and the question stays
// to be sent again.
const lost = (again) => {
  const notice = document.querySelector("#lost").content.firstElementChild.cloneNode(true);
  notice.querySelector(".retry").addEventListener("click", again);
  return notice;
};

const live = document.querySelector("#live");
document.addEventListener("htmx:before:request", (event) => {
  if (event.target.matches("form[hx-target='#live']")) live.replaceChildren();
});

document.addEventListener("htmx:finally:request", (event) => {
  const { sourceElement: form, request, hx } = event.detail.ctx;
  const isAsked = form.matches("form[hx-target='#live']");
  if (!isAsked || hx?.redirect) return;
  if (!live.querySelector(".notice, .sr")) {
    live.replaceChildren(lost(() => form.requestSubmit(request.submitter)));
  }
  live.querySelector(".notice")?.scrollIntoView({ block: "center" }); // not behind the question
});

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
const typedHere = `typed ${page.pathname}`;
const sent = new WeakSet();
let signsOut = false;
const typedFields = () => {
  const unlike = ["hidden", "password", "file", "checkbox", "radio"].map((type) => `[type=${type}]`);
  const fields = main.querySelectorAll(`form :is(textarea, input:not(${unlike}))`);
  return Object.entries(Object.groupBy(fields, (field) => `${field.form.getAttribute("action")} ${field.name}`))
    .flatMap(([name, alike]) => alike.map((field, place) => [`${name} ${place}`, field]));
};
const isTyped = (field) => field.value !== (field.id === "question" ? "" : field.defaultValue);

addEventListener("pagehide", () => {
  if (signsOut) {
    sessionStorage.clear();
    return;
  }
  const typed = typedFields().filter(([, field]) => isTyped(field) && !sent.has(field.form));
  const values = Object.fromEntries(typed.map(([name, field]) => [name, field.value]));
  sessionStorage.setItem(typedHere, JSON.stringify(values));
});

const bringBackTyped = () => {
  const values = JSON.parse(sessionStorage.getItem(typedHere) ?? "{}");
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
if (!location.search.includes("t=")) lastTurn()?.scrollIntoView({ block: "start" }); // come back to
rememberConversation();
addEventListener("focus", rememberConversation);
bringBackTyped();
