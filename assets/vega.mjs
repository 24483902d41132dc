// Vega without what no chart of ours has: maps, trees, forces, contours, clouds and regressions.
import * as encode from "vega-encode";
import { transforms } from "vega-dataflow";
import * as data from "vega-transforms";
import { extend } from "vega-util";
import * as view from "vega-view-transforms";

extend(transforms, data, view, encode);

export { parse } from "vega-parser";
export * from "vega-util";
export { View } from "vega-view";
