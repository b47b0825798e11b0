// Games in files beside the page that a browser takes from disk, too: each is a script that gives its part to `swissmatchGames`.
import { Unreadable } from "./model";

declare global {
  interface Window {
    /** What each file of games calls, with the name of its part and the packed games. */
    swissmatchGames?: (part: string, packed: string) => void;
  }
}

/** Names of parts, as the program gives them to files. */
const PART = /^\d+(p\d+)?\.\d+(-\d+)?$/;

const given = new Map<string, string>();

/** The packed games of a part, in base64; fails with a message for people. */
export function fromScript(folder: string, part: string): Promise<string> {
  window.swissmatchGames ??= (name, packed) => given.set(String(name), String(packed));
  const file = `${folder}/${part}.js`;
  if (folder === "" || !PART.test(part)) return Promise.reject(new Unreadable("their file has no name"));
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = `${encodeURIComponent(folder)}/${part}.js`;
    const end = (problem: string) => {
      script.remove();
      const packed = given.get(part);
      given.delete(part);
      if (packed === undefined) reject(new Unreadable(problem));
      else resolve(packed);
    };
    script.addEventListener("load", () => end(`the file ${file} is not of this page`));
    script.addEventListener("error", () => end(`the file ${file} is not beside this page`));
    document.head.append(script);
  });
}
