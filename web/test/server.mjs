// Serves a folder on a free port of this machine.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const TYPES = { ".html": "text/html; charset=utf-8", ".json": "application/json", ".js": "text/javascript" };

export async function serve(folder) {
  const server = createServer((request, answer) => {
    const name = request.url === "/" ? "/index.html" : decodeURIComponent(request.url ?? "");
    const type = TYPES[name.slice(name.lastIndexOf("."))];
    try {
      if (type === undefined || name.includes("..")) throw new Error("no such file");
      const body = gzipSync(readFileSync(join(folder, name)));
      answer.writeHead(200, { "content-type": type, "content-encoding": "gzip" }).end(body);
    } catch {
      answer.writeHead(404).end();
    }
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  return { server, url: new URL(`http://127.0.0.1:${server.address().port}/`) };
}
