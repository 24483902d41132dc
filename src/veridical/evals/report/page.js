"use strict";
const number = (cell) => {
  const found = cell.textContent.replace("−", "-").replace(/,/g, "").match(/^[<$ ]*([-+]?[0-9.]+)/);
  return found ? parseFloat(found[1]) : null;
};
const compare = (one, other, column) => {
  const [a, b] = [one.cells[column], other.cells[column]];
  const [x, y] = [number(a), number(b)];
  if (column > 0 && (x !== null || y !== null)) return (x ?? -Infinity) - (y ?? -Infinity);
  return a.textContent < b.textContent ? -1 : a.textContent > b.textContent ? 1 : 0;
};
document.querySelectorAll("table.sortable thead th").forEach((heading) => {
  const button = document.createElement("button");
  button.type = "button";
  button.append(...heading.childNodes);
  heading.append(button);
  button.addEventListener("click", () => {
    const table = heading.closest("table"), body = table.tBodies[0];
    const down = heading.getAttribute("aria-sort") === "ascending";
    table.querySelectorAll("thead th").forEach((each) => each.removeAttribute("aria-sort"));
    heading.setAttribute("aria-sort", down ? "descending" : "ascending");
    const rows = [...body.rows].sort((a, b) => compare(a, b, heading.cellIndex));
    body.append(...(down ? rows.reverse() : rows));
  });
});
document.querySelectorAll(".filter button").forEach((button) => {
  button.addEventListener("click", () => {
    document.querySelectorAll(".filter button").forEach((each) => {
      each.setAttribute("aria-pressed", String(each === button));
    });
    const wanted = button.dataset.show;
    document.querySelectorAll(".matrix tbody tr").forEach((row) => {
      row.hidden = wanted !== "all" && !row.dataset.is.split(" ").includes(wanted);
    });
  });
});
const reveal = () => {
  document.querySelectorAll("details.here").forEach((each) => each.classList.remove("here"));
  const target = document.getElementById(location.hash.slice(1));
  if (!target || target.tagName !== "DETAILS") return;
  for (let each = target; each; each = each.parentElement.closest("details")) each.open = true;
  target.classList.add("here");
  target.scrollIntoView({ block: "start" });
};
addEventListener("hashchange", reveal);
reveal();
