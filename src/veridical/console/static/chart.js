// Charts of answers: the drawing from the server stays until what draws them is there, and where it
// can't be loaded. It is loaded when the first chart comes near.
"use strict";

const shown = new WeakSet();
const views = new WeakMap();
const near = new IntersectionObserver(async (entries) => {
  for (const { target, isIntersecting } of entries) {
    if (!isIntersecting || shown.has(target)) continue;
    shown.add(target);
    near.unobserve(target);
    try {
      const { explore } = await import(target.dataset.script);
      views.set(target, await explore(target));
    } catch {
      target.removeAttribute("data-vega");
    }
  }
}, { rootMargin: "200px" });

const follow = () => {
  for (const place of document.querySelectorAll(".panel [data-vega][data-script]")) {
    if (!shown.has(place)) near.observe(place);
  }
};
document.addEventListener("htmx:after:swap", follow);
follow();

// The charts of an answer as one picture: its title, each chart under its label, in the page's colours.
const SCALE = 2;
const EDGE = 24;
const LINE = 28;
const picture = async (answer) => {
  const title = answer.querySelector(".lead .title")?.textContent ?? "";
  const panels = await Promise.all([...answer.querySelectorAll(".panel")].map(async (panel) => ({
    label: panel.querySelector("figcaption")?.textContent.trim() ?? "",
    drawn: await views.get(panel.querySelector("[data-vega]"))?.toCanvas(SCALE),
  })));
  const charts = panels.filter(({ drawn }) => drawn);
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(...charts.map(({ drawn }) => drawn.width)) + 2 * EDGE * SCALE;
  canvas.height = charts.reduce((sum, { drawn }) => sum + drawn.height + 2 * LINE * SCALE, (EDGE + LINE) * SCALE);
  const paper = canvas.getContext("2d");
  const style = getComputedStyle(document.documentElement);
  paper.fillStyle = style.getPropertyValue("--sheet");
  paper.fillRect(0, 0, canvas.width, canvas.height);
  paper.fillStyle = style.getPropertyValue("--ink");
  const write = (text, top, size, weight) => {
    paper.font = `${weight} ${size * SCALE}px ${style.getPropertyValue("--font")}`;
    paper.fillText(text, EDGE * SCALE, top, canvas.width - 2 * EDGE * SCALE);
  };
  let top = (EDGE + LINE / 2) * SCALE;
  write(title, top, 17, 600);
  for (const { label, drawn } of charts) {
    top += LINE * SCALE;
    write(label, top, 14, 400);
    top += (LINE / 2) * SCALE;
    paper.drawImage(drawn, EDGE * SCALE, top);
    top += drawn.height + (LINE / 2) * SCALE;
  }
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
};

document.addEventListener("click", async (event) => {
  const button = event.target.closest("button.picture");
  const answer = button?.closest(".turn, main")?.querySelector(".answer");
  if (!answer) return;
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await picture(answer));
  link.download = `${button.dataset.name}.png`;
  link.click();
  URL.revokeObjectURL(link.href);
});
