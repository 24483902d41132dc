// Builds the scripts that the console's pages load, with their licences, into the folder named on the
// command line, or else into the package: `make assets`. What is there is committed.
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const there = resolve(process.argv[2] ?? join(here, "../src/veridical/console/static/vendor"));
const packages = join(here, "node_modules");
const scripts = ["htmx.org/dist/htmx.min.js", "htmx.org/dist/ext/hx-sse.min.js"];

mkdirSync(there, { recursive: true });
for (const script of scripts) {
  copyFileSync(join(packages, script), join(there, basename(script)));
}
copyFileSync(join(packages, "htmx.org/LICENSE"), join(there, "htmx.LICENSE"));

const { metafile } = await build({
  absWorkingDir: here,
  alias: { vega: "./vega.mjs" },
  entryPoints: ["explore.mjs"],
  outfile: join(there, "explore.js"),
  bundle: true,
  format: "esm",
  legalComments: "none",
  metafile: true,
  minify: true,
  target: "es2022",
});

// What is bundled comes with its licences.
const used = Object.keys(metafile.inputs).map((path) => path.match(/^node_modules\/((?:@[^/]+\/)?[^/]+)/)?.[1]);
const texts = [...new Set(used)].filter(Boolean).sort().map((name) => {
  const folder = join(packages, name);
  const file = existsSync(folder) && readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
  const { version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const text = file ? readFileSync(join(folder, file), "utf8").trim() : license;
  return `${name} ${version}\n\n${text}\n`;
});
writeFileSync(join(there, "explore.LICENSE"), texts.join("\n---\n\n"));
