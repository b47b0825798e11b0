// Plays a game's moves again: positions and moves in words for each ply.
import { Chess, normalizeMove } from "chessops/chess";
import { chessgroundMove } from "chessops/compat";
import { INITIAL_FEN, makeFen, parseFen } from "chessops/fen";
import { makeSanAndPlay } from "chessops/san";
import type { Color, SquareName } from "chessops/types";
import { parseUci } from "chessops/util";
import { Unreadable } from "./model";
import type { Game } from "./types";

export interface Position {
  fen: string;
  /** The move that led here; the first position has none. */
  san: string | null;
  squares: SquareName[];
  mover: Color;
  turn: Color;
  check: boolean;
  /** The number of the full move that led here. */
  move: number;
  ofOpening: boolean;
}

export interface Replay {
  positions: Position[];
  /** How many plies are of the opening: figures of `moves` begin after them. */
  opening: number;
  /** A sentence if a move could not be played. */
  broken: string | null;
}

function start(fen: string): Chess {
  const position = parseFen(fen).chain((setup) => Chess.fromSetup(setup));
  if (position.isErr) throw new Unreadable("the game begins at a position that no game can have");
  return position.unwrap();
}

function plies(text: string): string[] {
  return text.split(/\s+/).filter((each) => each !== "");
}

/** A game that grows: moves are played as they come. */
export class Growing {
  readonly #chess: Chess;
  readonly #opening: string[];
  readonly #positions: Position[];
  #broken: string | null = null;

  constructor(fen: string, opening: string) {
    this.#chess = start(fen);
    this.#opening = plies(opening);
    this.#positions = [
      {
        fen: makeFen(this.#chess.toSetup()),
        san: null,
        squares: [],
        mover: this.#chess.turn === "white" ? "black" : "white",
        turn: this.#chess.turn,
        check: this.#chess.isCheck(),
        move: this.#chess.fullmoves,
        ofOpening: true,
      },
    ];
  }

  /** The game with these moves, which begin as those before did. */
  with(moves: string): Replay {
    const all = [...this.#opening, ...plies(moves)];
    for (let index = this.#positions.length - 1; index < all.length && this.#broken === null; index += 1) {
      this.#play(all[index] ?? "", index);
    }
    const positions = [...this.#positions];
    return { positions, opening: Math.min(this.#opening.length, positions.length - 1), broken: this.#broken };
  }

  #play(uci: string, index: number): void {
    const chess = this.#chess;
    const parsed = parseUci(uci);
    if (!parsed || !chess.isLegal(normalizeMove(chess, parsed))) {
      this.#broken = `Ply ${index + 1} of this game is no legal move. The game is shown up to it.`;
      return;
    }
    const mover = chess.turn;
    const move = chess.fullmoves;
    const normal = normalizeMove(chess, parsed);
    const san = makeSanAndPlay(chess, normal);
    this.#positions.push({
      fen: makeFen(chess.toSetup()),
      san,
      squares: chessgroundMove(normal),
      mover,
      turn: chess.turn,
      check: chess.isCheck(),
      move,
      ofOpening: index < this.#opening.length,
    });
  }
}

export function replay(game: Game): Replay {
  return new Growing(game.fen, game.opening).with(game.moves);
}

/** What a move took, by its place among those that were played, without what had run of the clock before it was asked for. */
export function thought(game: Game, index: number): number | undefined {
  const time = game.time_us[index];
  // Of an attempt that failed, it is part of the time of that.
  const late = index === 0 && !game.attempts.some((attempt) => attempt.ply === 0) ? (game.late_us ?? 0) : 0;
  return time === undefined ? undefined : Math.max(0, time - late);
}

/** As many moves of a line are shown. */
const LINE_LENGTH = 24;

/** The positions of the legal beginning of a line that an engine gave; none where all of it is the move that was made. */
export function expected(before: Position, pv: string, made: Position | undefined, most = LINE_LENGTH): Position[] {
  const moves = plies(pv.slice(0, 2000)).slice(0, most).join(" ");
  const [, ...line] = new Growing(before.fen, "").with(moves).positions;
  return line.length === 1 && line[0]?.san === made?.san ? [] : line;
}

/** What stands before a move in a line: its number, where it is White's or the first. */
export function numberOf({ mover, move }: Position, isFirst: boolean): string {
  return mover === "white" ? `${move}.` : isFirst ? `${move}…` : "";
}

/** A line in words: "17… Kc7 18. Be6". */
export function lineWords(line: Position[]): string {
  return line.map((each, index) => `${numberOf(each, index === 0)} ${each.san}`.trim()).join(" ");
}

export function isUsualStart(fen: string): boolean {
  return fen === INITIAL_FEN;
}
