"""Pairs every round of tournament files again with another program: caissify-pairings 0.5.0 (C.04.3 of 2026) or
py4swiss 0.3.1 (the text before it). Reads paths of files, one a line, on standard input; writes for each round

    PATH ROUND WHITE-BLACK WHITE-BLACK ... [BYE-0]

or `PATH ROUND ! REASON`, and `PATH ROUND -` where it has nothing to say. The files are our own: 1-0.5-0, canonical columns.
The programs are given what the rules say about earlier rounds, not what their own readers make of a file: those of
caissify-pairings take requested byes for pairing-allocated ones.
"""

import sys


def read(path):
    rounds, initial, players = 0, "W", {}
    with open(path, encoding="ascii") as lines:
        for line in lines:
            code, line = line[:3], line.rstrip("\n")
            if code == "142":
                rounds = int(line[4:])
            elif code == "152":
                initial = line[4]
            elif code == "001":
                cells = [line[at : at + 8] for at in range(91, len(line), 10)]
                cells = [(int(cell[:4]), cell[5], cell[7]) for cell in cells]
                players[int(line[4:8])] = (int(line[48:52]), cells)
    return rounds, initial, players


WORTH = {"1": 2, "+": 2, "U": 2, "F": 2, "=": 1, "H": 1}


def half_points(cells, rounds):
    return sum(WORTH.get(result, 0) for _, _, result in cells[:rounds])


def present(cells, round_number):
    opponent, _, result = cells[round_number - 1]
    return opponent > 0 or result == "U"


def caissify(rounds, initial, players, round_number):
    from caissify_pairings.engines.dutch import DutchEngine

    past = round_number - 1
    raw, met, taking_part = [], set(), []
    for number, (rating, cells) in sorted(players.items()):
        here = present(cells, round_number)
        if here or any(present(cells, earlier) for earlier in range(1, round_number)):
            taking_part.append(number)
        if not here:
            continue
        colors, floats = [], []
        for index, (opponent, color, result) in enumerate(cells[:past]):
            if result in "1=0":
                met.add((min(number, opponent), max(number, opponent)))
                colors.append("white" if color == "w" else "black")
                own, other = half_points(cells, index), half_points(players[opponent][1], index)
                floats.append("down" if own > other else "up" if own < other else "none")
            else:
                floats.append("down" if WORTH.get(result, 0) > 0 else "none")
        results = [result for _, _, result in cells[:past]]
        raw.append(
            {
                "id": number,
                "name": str(number),
                "score": half_points(cells, past) / 2,
                "rating": 10000 - number,
                "starting_number": number,
                "title": "",
                "color_hist": colors,
                "float_history": floats,
                "bye_count": results.count("U") + results.count("F"),
                "forfeit_win_count": results.count("+"),
            }
        )
    engine = DutchEngine(
        players=raw,
        previous_pairings=met,
        round_number=round_number,
        total_rounds=rounds,
        initial_color="white" if initial == "W" else "black",
    )
    # The parity of article 5.2.5 is that among those who take part in the tournament.
    for player in engine._players:
        player.pairing_number = taking_part.index(player.id) + 1
    for pair in engine.generate_pairings():
        yield pair["white_id"], pair.get("black_id") or 0


def py4swiss(rounds, initial, players, round_number):
    from py4swiss.engines import DutchEngine
    from py4swiss.trf import ParsedTrf
    from py4swiss.trf.codes import PlayerCode
    from py4swiss.trf.results import ColorToken, ResultToken, RoundResult
    from py4swiss.trf.sections import PlayerSection, XSection
    from py4swiss.trf.sections.x_section import XSectionConfiguration

    sections = []
    for number, (_, cells) in sorted(players.items()):
        known = cells[: round_number - 1 if present(cells, round_number) else round_number]
        results = [
            RoundResult(id=opponent, color=ColorToken(color), result=ResultToken(result))
            for opponent, color, result in known
        ]
        points = half_points(known, len(known)) * 5
        sections.append(
            PlayerSection(
                code=PlayerCode.PLAYER, starting_number=number, points_times_ten=points, rank=number, results=results
            )
        )
    configuration = XSectionConfiguration(first_round_color=initial == "W")
    trf = ParsedTrf(
        player_sections=sections, x_section=XSection(number_of_rounds=rounds, configuration=configuration)
    )
    trf.validate_contents()
    for pair in DutchEngine.generate_pairings(trf):
        yield pair.white, pair.black


def main():
    program = {"caissify": caissify, "py4swiss": py4swiss}[sys.argv[1]]
    for path in sys.stdin:
        path = path.strip()
        rounds, initial, players = read(path)
        for round_number in range(1, max(len(cells) for _, cells in players.values()) + 1):
            if not any(present(cells, round_number) for _, cells in players.values()):
                print(path, round_number, "-")
                continue
            try:
                pairs = list(program(rounds, initial, players, round_number))
                print(path, round_number, *(f"{white}-{black}" for white, black in pairs))
            except Exception as error:  # whatever the other program does is its answer
                print(path, round_number, "!", type(error).__name__, str(error).replace("\n", " "))
        sys.stdout.flush()


main()
