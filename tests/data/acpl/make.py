#!/usr/bin/env python3
"""The numbers that a participant's own harness gets for a game: python-chess asks, and says what each position is worth.

    pip install chess
    python3 make.py /usr/games/stockfish 3000 moves.txt > game.json

One thread, 16 MB of hash, a new game before each position, evaluations clamped to ±1000 centipawns, a mate is the clamp.
What the engine said is kept beside the numbers, so that they can be had again without that version of the engine.
"""
import json
import logging
import sys

import chess
import chess.engine

CLAMP = 1000


class Said(logging.Handler):
    """What the engine writes, as python-chess logs it."""

    def __init__(self):
        super().__init__()
        self.lines = []

    def emit(self, record):
        _, found, line = record.getMessage().partition(">> ")
        if found:
            self.lines.append(line)


def main():
    program, nodes, moves = sys.argv[1], int(sys.argv[2]), open(sys.argv[3]).read().split()
    said = Said()
    log = logging.getLogger("chess.engine")
    log.setLevel(logging.DEBUG)
    log.addHandler(said)
    log.propagate = False
    engine = chess.engine.SimpleEngine.popen_uci(program)
    engine.configure({"Threads": 1, "Hash": 16})

    def ask(board):
        if board.is_game_over():
            # What the rules ended is not asked for.
            return {"fen": board.fen(), "said": [], "centipawns": -CLAMP if board.is_checkmate() else 0}
        said.lines.clear()
        info = engine.analyse(board, chess.engine.Limit(nodes=nodes), game=object())
        score = info["score"].pov(board.turn).score(mate_score=CLAMP + 10**6)
        value = max(-CLAMP, min(CLAMP, score))
        lines = [line.split(" pv ")[0] for line in said.lines if " score " in line or line.startswith("bestmove")]
        # A cached position is asked without the number of its move, and without how it came about.
        return {"fen": board.fen(), "said": lines, "centipawns": value}

    board, positions, lost = chess.Board(), [], [[], []]
    for move in moves:
        positions.append(ask(chess.Board(" ".join(board.fen().split()[:5] + ["1"]))))
        board.push_uci(move)
    positions.append(ask(chess.Board(" ".join(board.fen().split()[:5] + ["1"]))))
    for ply, (before, after) in enumerate(zip(positions, positions[1:])):
        lost[ply % 2].append(max(0, before["centipawns"] + after["centipawns"]))
    document = {
        "engine": engine.id["name"],
        "python_chess": chess.__version__,
        "nodes": nodes,
        "moves": " ".join(moves),
        "lost": [sum(side) for side in lost],
        "acpl": [f"{sum(side) / len(side):.1f}" for side in lost],
        "positions": positions,
    }
    print(json.dumps(document, indent=1))
    engine.quit()


main()
