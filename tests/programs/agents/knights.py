#!/usr/bin/env python3
# A UCI agent that moves its knights out and back; with an argument it wants to read that file first, its net.
import sys

net = open(sys.argv[1], "rb").read() if len(sys.argv) > 1 else b""
moves = []
for line in sys.stdin:
    words = line.split()
    if words[:1] == ["uci"]:
        print("id name knights in Python with", len(net), "bytes\nuciok", flush=True)
    elif words[:1] == ["isready"]:
        print("readyok", flush=True)
    elif words[:1] == ["position"]:
        moves = words[words.index("moves") + 1:] if "moves" in words else []
    elif words[:1] == ["go"]:
        ply = len(moves)
        pairs = ("g1f3", "f3g1") if ply % 2 == 0 else ("g8f6", "f6g8")
        print("bestmove", pairs[ply // 2 % 2], flush=True)
    elif words[:1] == ["quit"]:
        break
