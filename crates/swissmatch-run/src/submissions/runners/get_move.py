"""Plays for an entry with a function like get_move(fen, time_left_ms) -> str.

Started as: python -I -B get_move.py ENTRY FUNCTION. It is asked by a line of JSON for each move, and answers by a line. The entry is
imported once, before the line `ready`; whatever it prints goes to standard error.
"""
import importlib.util
import json
import os
import sys


def main():
    entry, function = sys.argv[1:3]
    questions = os.fdopen(os.dup(0), encoding="utf-8")
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    sys.stdout.reconfigure(line_buffering=True)
    sys.argv = [entry]
    sys.path.insert(0, os.getcwd())

    def say(line):
        answers.write(line + "\n")
        answers.flush()

    name = os.path.splitext(os.path.basename(entry))[0]
    spec = importlib.util.spec_from_file_location(name, os.path.join(os.getcwd(), entry))
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    play = getattr(module, function, None)
    if not callable(play):
        sys.exit(f"{entry} has no function {function}(fen, time_left_ms)")
    say("ready")
    for line in questions:
        question = json.loads(line)
        left = question.get("time_left_ms", question.get("movetime_ms"))
        move = str(play(question["fen"], left))
        say(" ".join(move.split()) or "0000")


# A process that the entry starts anew imports this file, too.
if __name__ == "__main__":
    main()
