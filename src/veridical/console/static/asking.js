// Asking: the question's card is there at once, with one line that says what happens, for how long,
// and a way to stop. What comes back takes its place.
"use strict";

// The conversation is in the address, and in the cookie that brings it back from another page: that
// of the window which is looked at, for there may be several.
const conversation = document.querySelector("[data-conversation]");
const lastTurn = () => document.querySelector("#turns > :last-child");
const rememberConversation = () => {
  const id = conversation.dataset.conversation;
  if (!id && lastTurn()) return; // of other runs, and not kept yet
  const address = id ? `/console/c/${id}` : location.pathname;
  const last = lastTurn() ? `#${lastTurn().id}` : "";
  const ends = id ? "" : "; max-age=0";
  const secure = location.protocol === "https:" ? "; secure" : "";
  document.cookie = `veridical_conversation=${id}; path=/console; samesite=strict${secure}${ends}`;
  history.replaceState(null, "", address + location.hash);
  for (const next of document.querySelectorAll("input[name=next]")) next.value = address + last;
};

// A conversation that has just begun appears in the list of all.
const listConversation = async (id) => {
  const list = document.querySelector(".rail .all");
  if (!list || list.querySelector(`a[href="/console/c/${id}"]`)) return;
  const reply = await fetch("/console/conversations");
  if (!reply.ok) return;
  const page = new DOMParser().parseFromString(await reply.text(), "text/html");
  list.replaceChildren(...page.querySelector(".rail").childNodes);
  const own = list.querySelector(`a[href="/console/c/${id}"]`);
  own?.setAttribute("aria-current", "true");
  own?.closest("li").classList.add("current");
};

document.addEventListener("turn", (event) => {
  conversation.dataset.conversation = event.detail.data;
  rememberConversation();
  listConversation(event.detail.data).catch(() => {}); // it is there after the next page
  lastTurn()?.scrollIntoView({ block: "start" });
});

const live = document.querySelector("#live");
const questionField = document.querySelector("#question");
const isAsking = (form) => form.matches("form[hx-target='#live']");
const fromTemplate = (id) => document.querySelector(id).content.firstElementChild.cloneNode(true);

// The question that waits for its answer, and what was typed meanwhile.
let asked = null;
let later = "";
const elapsed = () => {
  const seconds = Math.floor((Date.now() - asked.since) / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
};
setInterval(() => {
  const place = live.querySelector(".elapsed");
  if (asked && place) place.textContent = elapsed();
}, 1000);

// One question at a time: another one stays where it was typed.
document.addEventListener("submit", (event) => {
  if (!isAsking(event.target)) return;
  if (asked?.form.isConnected) { // that of the checklist is gone with its question
    event.preventDefault();
    event.stopImmediatePropagation();
    return;
  }
  const { elements } = event.target;
  const text = event.submitter?.name === "question" ? event.submitter.value : elements.question.value;
  asked = { form: event.target, submitter: event.submitter, text, since: Date.now(), isStopped: false };
}, true);

document.addEventListener("htmx:before:request", (event) => {
  if (!asked || event.target !== asked.form) return;
  const card = fromTemplate("#asking");
  card.querySelector(".question").textContent = asked.text;
  card.querySelector(".stop").addEventListener("click", () => {
    asked.isStopped = true;
    asked.form.dispatchEvent(new CustomEvent("htmx:abort"));
  });
  live.replaceChildren(card);
  card.scrollIntoView({ block: "center" });
  // What is typed while the answer comes is the next question.
  if (asked.form.id === "ask") questionField.value = later;
  later = "";
});

const askAgain = ({ form, submitter, text }) => {
  if (form.id === "ask") {
    later = questionField.value === text ? "" : questionField.value;
    questionField.value = text;
  }
  form.requestSubmit(submitter);
};

document.addEventListener("htmx:finally:request", (event) => {
  const done = asked;
  if (!done || event.target !== done.form || event.detail.ctx.hx?.redirect) return;
  asked = null;
  const isAnswered = live.querySelector(":scope > .sr");
  const problem = live.querySelector(":scope > .notice");
  if (isAnswered) return;
  if (done.form.id === "ask" && !questionField.value) questionField.value = done.text;
  if (done.isStopped) {
    live.replaceChildren(fromTemplate("#stopped"));
    questionField.focus();
    return;
  }
  live.querySelector(".status")?.replaceWith(problem ?? lost(() => askAgain(done)));
  live.querySelector(".notice")?.scrollIntoView({ block: "center" }); // not behind the question
});

if (!location.hash) lastTurn()?.scrollIntoView({ block: "start" }); // come back to
rememberConversation();
addEventListener("focus", rememberConversation);
