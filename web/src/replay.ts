// Plays a game's moves again: positions and moves in words for each ply.
import { Chess, normalizeMove } from "chessops/chess";
import { chessgroundMove } from "chessops/compat";
import { INITIAL_FEN, makeFen, parseFen } from "chessops/fen";
import { makeSanAndPlay } from "chessops/san";
import type { Color, SquareName } from "chessops/types";
import { parseUci } from "chessops/util";
import type { Game } from "./model";
import { Unreadable } from "./model";

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

export function replay(game: Game): Replay {
  const position = start(game.fen);
  const opening = plies(game.opening);
  const moves = [...opening, ...plies(game.moves)];
  const first: Position = {
    fen: makeFen(position.toSetup()),
    san: null,
    squares: [],
    mover: position.turn === "white" ? "black" : "white",
    turn: position.turn,
    check: position.isCheck(),
    move: position.fullmoves,
    ofOpening: true,
  };
  const positions = [first];
  for (const [index, uci] of moves.entries()) {
    const parsed = parseUci(uci);
    if (!parsed || !position.isLegal(normalizeMove(position, parsed))) {
      const broken = `Ply ${index + 1} of this game is no legal move. The game is shown up to it.`;
      return { positions, opening: Math.min(opening.length, positions.length - 1), broken };
    }
    const mover = position.turn;
    const move = position.fullmoves;
    const normal = normalizeMove(position, parsed);
    const san = makeSanAndPlay(position, normal);
    positions.push({
      fen: makeFen(position.toSetup()),
      san,
      squares: chessgroundMove(normal),
      mover,
      turn: position.turn,
      check: position.isCheck(),
      move,
      ofOpening: index < opening.length,
    });
  }
  return { positions, opening: opening.length, broken: null };
}

/** As many moves of a line are shown. */
const LINE_LENGTH = 24;

/** The legal beginning of a line that an engine gave, from a position, with move numbers. */
export function line(fen: string, pv: string): string {
  const setup = parseFen(fen).chain((each) => Chess.fromSetup(each));
  if (setup.isErr) return "";
  const position = setup.unwrap();
  const words: string[] = [];
  for (const uci of plies(pv.slice(0, 2000)).slice(0, LINE_LENGTH)) {
    const parsed = parseUci(uci);
    if (!parsed) break;
    const move = normalizeMove(position, parsed);
    if (!position.isLegal(move)) break;
    if (position.turn === "white") words.push(`${position.fullmoves}.`);
    else if (words.length === 0) words.push(`${position.fullmoves}…`);
    words.push(makeSanAndPlay(position, move));
  }
  return words.join(" ");
}

export function isUsualStart(fen: string): boolean {
  return fen === INITIAL_FEN;
}
