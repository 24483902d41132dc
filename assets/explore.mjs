// Charts to explore: made with Vega-Lite, whose expressions are interpreted and not compiled, so that the
// page's policy needs no exception. Loaded where there is a chart; the drawing from the server stays where
// no script runs.
import { expressionInterpreter } from "vega-interpreter";
import { compile } from "vega-lite";
import { parse, View } from "./vega.mjs";

const token = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

const looks = ({ series, decimal = ".", thousands = "," }) => {
  const [ink, soft, line] = ["--ink", "--soft", "--line"].map(token);
  const words = { labelColor: soft, titleColor: soft, labelFont: "system-ui", titleFont: "system-ui" };
  return {
    background: "transparent",
    axis: { ...words, gridColor: line, domainColor: soft, tickColor: soft },
    legend: { ...words, labelColor: ink, orient: "bottom" },
    view: { stroke: line },
    mark: { color: token("--bar") },
    text: { color: ink, font: "system-ui", fontSize: 12 },
    locale: { number: { decimal, thousands, grouping: [3], currency: ["", ""] } },
    range: { category: series.map((number) => token(`--series-${number}`)) },
  };
};

/** Shows the chart that a place describes, instead of what stands in it. */
export const explore = async (place) => {
  const described = JSON.parse(place.dataset.vega);
  const spec = { ...described, width: "container", config: looks(described.usermeta) };
  const drawn = document.createElement("div");
  drawn.className = "explored";
  drawn.setAttribute("role", "img");
  drawn.setAttribute("aria-label", place.dataset.label);
  place.replaceChildren(drawn);
  const view = new View(parse(compile(spec).spec, null, { ast: true }), {
    container: drawn,
    expr: expressionInterpreter,
    hover: true,
    renderer: "canvas",
  });
  await view.runAsync();
  return view;
};
