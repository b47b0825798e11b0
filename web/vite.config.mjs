// How the page is built: one classic script and one stylesheet, with names that never change.
import { defineConfig } from "vite";

/** Packages may set text only, never markup: what they would set as markup becomes text. */
const textOnly = {
  name: "text-only",
  transform(code, id) {
    if (!id.includes("/node_modules/") || !code.includes(".innerHTML")) return null;
    return { code: code.replaceAll(".innerHTML", ".textContent"), map: null };
  },
};

/** Which packages are in the bundle, for `tools/finish.mjs`. */
const packagesOfBundle = {
  name: "packages-of-bundle",
  generateBundle(_options, bundle) {
    const names = new Set();
    const add = (id) => {
      const found = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(id);
      if (found) names.add(found[1]);
    };
    for (const part of Object.values(bundle)) {
      if (part.type === "chunk") Object.keys(part.modules).forEach(add);
    }
    for (const id of this.getModuleIds()) if (/\.css($|\?)/.test(id)) add(id);
    this.emitFile({ type: "asset", fileName: "packages.json", source: JSON.stringify([...names].sort()) });
  },
};

export default defineConfig({
  publicDir: false,
  logLevel: "warn",
  plugins: [textOnly, packagesOfBundle],
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    target: "es2022",
    outDir: "dist",
    emptyOutDir: false,
    cssCodeSplit: false,
    assetsInlineLimit: 1_000_000,
    modulePreload: false,
    reportCompressedSize: false,
    lib: {
      entry: "src/main.tsx",
      formats: ["iife"],
      name: "page",
      fileName: () => "page.js",
      cssFileName: "page",
    },
  },
});
