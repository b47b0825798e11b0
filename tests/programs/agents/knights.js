// A UCI agent that moves its knights out and back.
let moves = [];
require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const words = line.trim().split(/\s+/);
  if (words[0] === "uci") console.log("id name knights in JavaScript\nuciok");
  else if (words[0] === "isready") console.log("readyok");
  else if (words[0] === "position") {
    const at = words.indexOf("moves");
    moves = at < 0 ? [] : words.slice(at + 1);
  } else if (words[0] === "go") {
    const pair = moves.length % 2 ? ["g8f6", "f6g8"] : ["g1f3", "f3g1"];
    console.log("bestmove " + pair[Math.floor(moves.length / 2) % 2]);
  } else if (words[0] === "quit") process.exit(0);
});
