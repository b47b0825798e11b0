// After vite: writes licences.txt from the packages that are in the bundle, and fails if the bundle breaks a limit.
import { readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const root = new URL("..", import.meta.url).pathname;
const dist = join(root, "dist");
/** Script and stylesheet, compressed together. */
const MOST_BYTES = 150_000;
const FORBIDDEN = {
  "page.js": [/<\/script/i, /<!--/, /\beval\(/, /\bnew Function\b/, /\binnerHTML\b/, /\bimport\(/, /setAttribute\(["'`]style/],
  "page.css": [/<\/style/i, /<!--/, /@import/],
};

function licenceOf(name) {
  const folder = join(root, "node_modules", name);
  const { version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((entry) => /^(licen[cs]e|copying)/i.test(entry));
  if (!file) throw new Error(`${name} has no licence text`);
  return { name, version, license, text: readFileSync(join(folder, file), "utf8").trim() };
}

/** Texts that several packages share are written once. */
function licences(names) {
  const packages = names.map(licenceOf);
  const texts = new Map();
  for (const each of packages) texts.set(each.text, [...(texts.get(each.text) ?? []), each]);
  const list = packages.map((each) => `${each.name} ${each.version}: ${each.license}`).join("\n");
  const parts = [...texts].map(([text, of]) => {
    const head = of.map((each) => `${each.name} ${each.version}`).join(", ");
    return `${head}\n${"-".repeat(Math.min(head.length, 80))}\n\n${text}\n`;
  });
  return `The page contains these packages:\n\n${list}\n\n\n${parts.join("\n\n")}`;
}

function problems(files) {
  const found = [];
  for (const [name, patterns] of Object.entries(FORBIDDEN)) {
    for (const pattern of patterns) if (pattern.test(files[name])) found.push(`${name} contains ${pattern}`);
  }
  for (const [, target] of files["page.css"].matchAll(/url\(\s*["']?([^)]{0,20})/g)) {
    if (!target.startsWith("data:")) found.push(`page.css has the address ${target}`);
  }
  const extra = readdirSync(dist).filter((name) => !["README", "page.js", "page.css", "licences.txt"].includes(name));
  if (extra.length > 0) found.push(`dist has more than it should: ${extra.join(", ")}`);
  return found;
}

const list = join(dist, "packages.json");
writeFileSync(join(dist, "licences.txt"), licences(JSON.parse(readFileSync(list, "utf8"))));
rmSync(list);
const files = Object.fromEntries(["page.js", "page.css"].map((name) => [name, readFileSync(join(dist, name), "utf8")]));
const packed = gzipSync(files["page.js"] + files["page.css"], { level: 9 }).length;
const found = problems(files);
if (packed > MOST_BYTES) found.push(`script and stylesheet are ${packed} bytes compressed, at most ${MOST_BYTES} are allowed`);
for (const name of ["page.js", "page.css"]) console.log(`${name}: ${Buffer.byteLength(files[name])} bytes, ${gzipSync(files[name]).length} compressed`);
console.log(`together compressed: ${packed} bytes`);
if (found.length > 0) {
  for (const each of found) console.error(`error: ${each}`);
  process.exit(1);
}
