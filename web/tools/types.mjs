// Before tsc: writes src/schema.ts, the types of what the program gives the page, from docs/schema. A type has the name of its schema or
// definition: `mini-match` is MiniMatch; a line of `live-line` with the type `game` is LiveLineGame.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { compile } from "json-schema-to-typescript";

const root = new URL("..", import.meta.url).pathname;
/** What the page reads. */
const READ = ["page-event", "page-games", "live-line-game", "page-live"];

const documents = new Map();
function documentOf(name) {
  if (!documents.has(name)) documents.set(name, JSON.parse(readFileSync(join(root, `../docs/schema/${name}.schema.json`), "utf8")));
  return documents.get(name);
}

/** All definitions by their names, each with the schema that has it. */
const definitions = {};
const homes = new Map();

/** Takes in a definition, or the whole of a schema, and all that it points to. */
function take(name, home, schema) {
  if (schema === undefined) throw new Error(`docs/schema/${home}.schema.json has no definition ${name}`);
  const known = homes.get(name);
  if (known === home) return;
  if (known !== undefined) throw new Error(`${name} is a definition of ${known} and of ${home}`);
  homes.set(name, home);
  definitions[name] = local(schema, home);
}

/** The same with all references to definitions of one document. */
function local(part, home) {
  if (Array.isArray(part)) return part.map((each) => local(each, home));
  if (typeof part !== "object" || part === null) return part;
  const { $defs, $schema, $ref, ...rest } = part;
  const here = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, local(value, home)]));
  if ($ref === undefined) return here;
  // With words of its own beside it, a reference would become a second type.
  const to = { $ref: pointed($ref, home) };
  return Object.keys(here).length === 0 ? to : { ...here, allOf: [to] };
}

function pointed(reference, home) {
  const found = /^(?:([a-z-]+)\.schema\.json)?#\/\$defs\/([a-z0-9-]+)$/.exec(reference);
  if (!found) throw new Error(`docs/schema/${home}.schema.json: nothing is known of the reference ${reference}`);
  const [, other = home, name] = found;
  take(name, other, documentOf(other).$defs[name]);
  return `#/$defs/${name}`;
}

for (const name of READ) {
  if (name.startsWith("live-line-")) {
    const type = name.slice("live-line-".length);
    take(name, "live-line", documentOf("live-line").oneOf.find((kind) => kind.properties.type.const === type));
  } else take(name, name, documentOf(name));
}

const all = { $defs: definitions, anyOf: READ.map((name) => ({ $ref: `#/$defs/${name}` })) };
const written = await compile(all, "read-by-the-page", {
  bannerComment: "// Written by tools/types.mjs from docs/schema.",
  additionalProperties: false,
  customName: (_schema, name) => name,
  style: { printWidth: 140 },
});
writeFileSync(join(root, "src/schema.ts"), written);
