"""The rules of chess, as far as a player needs them: which moves are legal in a position."""

STEPS = {
    "n": [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)],
    "b": [(1, 1), (1, -1), (-1, -1), (-1, 1)],
    "r": [(1, 0), (0, 1), (-1, 0), (0, -1)],
}
STEPS["q"] = STEPS["k"] = STEPS["b"] + STEPS["r"]


def board_of(fen):
    """The pieces by (file, rank) from 0, and the other fields."""
    rows, *rest = fen.split()
    board = {}
    for rank, row in zip(range(7, -1, -1), rows.split("/")):
        file = 0
        for sign in row:
            if sign.isdigit():
                file += int(sign)
            else:
                board[file, rank] = sign
                file += 1
    return board, rest


def is_of(piece, white):
    return piece is not None and piece.isupper() == white


def attacked(board, square, by_white):
    """Whether a side attacks a square."""
    forward = 1 if by_white else -1
    for step in (-1, 1):
        if board.get((square[0] + step, square[1] - forward)) == ("P" if by_white else "p"):
            return True
    for kind, steps in STEPS.items():
        for step in steps:
            at = square
            while True:
                at = (at[0] + step[0], at[1] + step[1])
                if not (0 <= at[0] < 8 and 0 <= at[1] < 8):
                    break
                piece = board.get(at)
                if piece is not None:
                    if is_of(piece, by_white) and piece.lower() == kind:
                        return True
                    break
                if kind in "nk":
                    break
    return False


def pseudo(board, white, castling, passant):
    """Moves that may leave the own king in check."""
    forward, first, last = (1, 1, 7) if white else (-1, 6, 0)
    for (file, rank), piece in list(board.items()):
        if not is_of(piece, white):
            continue
        kind = piece.lower()
        if kind == "p":
            ahead = (file, rank + forward)
            targets = []
            if ahead not in board:
                targets.append(ahead)
                if rank == first and (file, rank + 2 * forward) not in board:
                    targets.append((file, rank + 2 * forward))
            for step in (-1, 1):
                side = (file + step, rank + forward)
                if side == passant or (side in board and is_of(board[side], not white)):
                    targets.append(side)
            for target in targets:
                for promoted in "qrbn" if target[1] == last else [""]:
                    yield (file, rank), target, promoted
            continue
        for step in STEPS[kind]:
            at = (file, rank)
            while True:
                at = (at[0] + step[0], at[1] + step[1])
                if not (0 <= at[0] < 8 and 0 <= at[1] < 8) or is_of(board.get(at), white):
                    break
                yield (file, rank), at, ""
                if at in board or kind in "nk":
                    break
        if kind == "k" and not attacked(board, (file, rank), not white):
            for letter, rook, way in (("k", 7, [5, 6]), ("q", 0, [3, 2])):
                free = range(5, 7) if letter == "k" else range(1, 4)
                if (letter.upper() if white else letter) in castling:
                    if all((other, rank) not in board for other in free) and not any(
                        attacked(board, (other, rank), not white) for other in way
                    ):
                        yield (file, rank), (way[1], rank), ""


def legal(fen):
    """All legal moves, as UCI writes them."""
    board, (side, castling, passant, *_) = board_of(fen)
    white = side == "w"
    passant = None if passant == "-" else ("abcdefgh".index(passant[0]), int(passant[1]) - 1)
    moves = []
    for start, end, promoted in pseudo(board, white, castling, passant):
        after = dict(board)
        piece = after.pop(start)
        if piece.lower() == "p" and end == passant:
            after.pop((end[0], start[1]), None)
        after[end] = piece
        king = next(at for at, other in after.items() if other == ("K" if white else "k"))
        if not attacked(after, king, not white):
            name = lambda at: "abcdefgh"[at[0]] + str(at[1] + 1)
            moves.append(name(start) + name(end) + promoted)
    return sorted(moves)
