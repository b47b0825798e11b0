// As many boards as fit on the screen of a hall.
import { Card } from "../live/card";
import type { Store } from "../live/store";
import type { PageEvent } from "../types";

/** No board is smaller (px), where the screen has room for one. */
const SMALLEST = 340;
/** All in rem: the text above and below a board; the text beside one. */
const TEXT = 11;
const BESIDE = 17.5;
const GAP = 1.5;
/** Where there are more boards than that: names, clocks, evaluations and the last move alone. */
const COMPACT_TEXT = 4.5;
/** From this width on a card has its text beside its board: see live.css. */
const WIDE_CARD = 34;

interface Room {
  /** Both in rem. */
  width: number;
  height: number;
  /** In px. */
  rem: number;
}

/** The largest boards for so many. */
function fit({ width, height }: Room, boards: number, compact: boolean) {
  let best = { columns: 1, card: Math.min(width, 10), board: 0 };
  for (let columns = 1; columns <= boards; columns += 1) {
    const rows = Math.ceil(boards / columns);
    const [wide, high] = [(width - GAP * (columns - 1)) / columns, (height - GAP * (rows - 1)) / rows];
    const stacked = Math.min(wide, high - (compact ? COMPACT_TEXT : TEXT), WIDE_CARD - 0.5);
    if (stacked > best.board) best = { columns, card: stacked, board: stacked };
    const beside = Math.min(wide - BESIDE, high);
    if (!compact && beside > best.board && beside + BESIDE >= WIDE_CARD) best = { columns, card: beside + BESIDE, board: beside };
  }
  return best;
}

/** How many boards there is room for, of so many, and whether with names and clocks alone. */
export function capacity(room: Room, boards: number): { most: number; compact: boolean } {
  const fitting = (compact: boolean) => {
    let most = 1;
    while (most < boards && fit(room, most + 1, compact).board * room.rem >= SMALLEST) most += 1;
    return most;
  };
  const [most, compact] = [fitting(false), fitting(true)];
  return compact > most ? { most: compact, compact: true } : { most, compact: false };
}

interface BoardsProps {
  store: Store;
  event: PageEvent;
  slots: number[];
  compact: boolean;
  room: Room;
}

export function HallBoards({ store, event, slots, compact, room }: BoardsProps) {
  const { columns, card, board } = fit(room, slots.length, compact);
  const style = { gridTemplateColumns: `repeat(${columns}, ${card}rem)`, "--board": `${board}rem` };
  return (
    <ul class={compact ? "boards compact" : "boards"} style={style}>
      {slots.map((slot) => (
        <Card key={slot} store={store} event={event} slot={slot} drawn heading="h2" />
      ))}
    </ul>
  );
}
