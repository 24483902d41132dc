// An answer as a panel of another program (MCP Apps, 2026-01-26): the host sends the result, and the
// panel shows what comes with it. It asks the host for nothing but to write a suggested question.
"use strict";

const HOST = window.parent;
const waiting = new Map();
let last = 0;

const send = (message) => HOST.postMessage({ jsonrpc: "2.0", ...message }, "*");

const ask = (method, params) => {
  last += 1;
  send({ id: last, method, params });
  return new Promise((resolve, reject) => waiting.set(last, { resolve, reject }));
};

const follow = (context) => {
  if (context?.theme) {
    document.getElementById("dark").media = context.theme === "dark" ? "all" : "not all";
  }
  const font = context?.styles?.variables?.["--font-sans"];
  if (font) document.documentElement.style.setProperty("--font", font);
};

const show = (result) => {
  const place = document.getElementById("answer");
  const part = result?._meta?.["veridical/panel"];
  if (part) {
    document.documentElement.lang = part.language;
    place.innerHTML = part.html;
    return;
  }
  const text = document.createElement("p");
  text.className = "text";
  const data = result?.structuredContent?.data;
  text.textContent =
    data?.text || result?.structuredContent?.error || result?.content?.[0]?.text || place.dataset.none;
  place.replaceChildren(text);
};

window.addEventListener("message", ({ source, data }) => {
  if (source !== HOST || data?.jsonrpc !== "2.0") return;
  if (data.method === undefined) {
    const asked = waiting.get(data.id);
    waiting.delete(data.id);
    if (data.error) asked?.reject(new Error(data.error.message));
    else asked?.resolve(data.result);
  } else if (data.method === "ui/notifications/tool-result") {
    show(data.params);
  } else if (data.method === "ui/notifications/tool-cancelled") {
    show(undefined);
  } else if (data.method === "ui/notifications/host-context-changed") {
    follow(data.params);
  } else if (data.id !== undefined) {
    const known = data.method === "ping" || data.method === "ui/resource-teardown";
    send({ id: data.id, ...(known ? { result: {} } : { error: { code: -32601, message: "unknown" } }) });
  }
});

document.addEventListener("click", async (event) => {
  const choice = event.target.closest(".choices a");
  if (choice) {
    event.preventDefault();
    const content = { type: "text", text: choice.textContent };
    await ask("ui/message", { role: "user", content }).catch(() => {});
    return;
  }
  const button = event.target.closest(".copy");
  if (!button) return;
  const copied = document.querySelector(button.dataset.copy);
  try {
    await navigator.clipboard.writeText(copied.textContent);
    button.textContent = "✓";
  } catch {
    window.getSelection().selectAllChildren(copied); // the host keeps the clipboard to itself
  }
});

const start = async () => {
  const met = await ask("ui/initialize", {
    appInfo: { name: "veridical", version: "1" },
    appCapabilities: { availableDisplayModes: ["inline", "fullscreen"] },
    protocolVersion: "2026-01-26",
  });
  follow(met.hostContext);
  send({ method: "ui/notifications/initialized" });
  let height = 0;
  new ResizeObserver(() => {
    const now = Math.ceil(document.documentElement.getBoundingClientRect().height);
    if (now === height) return;
    height = now;
    send({ method: "ui/notifications/size-changed", params: { width: window.innerWidth, height } });
  }).observe(document.documentElement);
};
start();
