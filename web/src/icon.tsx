// The signs on buttons, drawn, as characters for them look different everywhere.

const PATHS = {
  first: "M5 4h2.5v16H5zM20 4v16L9 12z",
  back: "M17 4v16L6 12z",
  forward: "M7 4v16l11-8z",
  last: "M4 4v16l11-8zM16.5 4H19v16h-2.5z",
  stop: "M6 4h4v16H6zM14 4h4v16h-4z",
  flip: "M7 3 2.5 8.5H6V20h2V8.5h3.5zM17 21l4.5-5.5H18V4h-2v11.5h-3.5z",
  save: "M11 3h2v9h3.5L12 17l-4.5-5H11zM4 19h16v2H4z",
} as const;
export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
