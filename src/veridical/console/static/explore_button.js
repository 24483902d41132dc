// A button beside each chart that can be explored: it loads what draws it.
"use strict";

for (const button of document.querySelectorAll(".explore")) {
  const place = button.closest("figure").querySelector("[data-vega]");
  if (!place) continue;
  button.hidden = false;
  button.addEventListener("click", async () => {
    button.disabled = true;
    const { explore } = await import(button.dataset.script);
    await explore(place);
    button.hidden = true;
  });
}
