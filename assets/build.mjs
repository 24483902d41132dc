// Puts the scripts that the console's pages load where the package takes them from.
import { copyFileSync, mkdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const there = join(here, "../src/veridical/console/static/vendor");
const scripts = ["htmx.org/dist/htmx.min.js", "htmx.org/dist/ext/hx-sse.min.js", "htmx.org/LICENSE"];

mkdirSync(there, { recursive: true });
for (const script of scripts) {
  copyFileSync(join(here, "node_modules", script), join(there, basename(script)));
}
