"""Plays for an entry with a function like chess_bot(obs) -> str, as Kaggle's chess agents have it.

Started as: python -I -B kaggle.py ENTRY FUNCTION. It is asked by a line of JSON for each move, and answers by a line. Such entries
unpack files beside themselves, so this one works on a copy. The entry is imported once, before the line `ready`; whatever it prints
goes to standard error.
"""
import importlib.util
import json
import os
import shutil
import sys
import tempfile


class Observation(dict):
    """What is seen of the game, by name or by key."""

    __getattr__ = dict.__getitem__


def main():
    entry, function = sys.argv[1:3]
    questions = os.fdopen(os.dup(0), encoding="utf-8")
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    sys.stdout.reconfigure(line_buffering=True)
    copy = os.path.join(tempfile.mkdtemp(), "agent")
    shutil.copytree(os.getcwd(), copy, copy_function=shutil.copyfile)
    os.chdir(copy)
    sys.argv = [entry]
    sys.path.insert(0, copy)

    def say(line):
        answers.write(line + "\n")
        answers.flush()

    name = os.path.splitext(os.path.basename(entry))[0]
    spec = importlib.util.spec_from_file_location(name, os.path.join(copy, entry))
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    play = getattr(module, function, None)
    if not callable(play):
        sys.exit(f"{entry} has no function {function}(obs)")
    say("ready")
    for line in questions:
        question = json.loads(line)
        moves = question["moves"]
        left = question.get("time_left_ms", question.get("movetime_ms")) / 1000
        seen = Observation(
            board=question["fen"],
            mark=question["side"],
            lastMove=moves[-1] if moves else "",
            remainingOverageTime=left,
            opponentRemainingOverageTime=question.get("opponent_time_left_ms", left * 1000) / 1000,
            step=len(moves),
        )
        say(" ".join(str(play(seen)).split()) or "0000")


# A process that the entry starts anew imports this file, too.
if __name__ == "__main__":
    main()
