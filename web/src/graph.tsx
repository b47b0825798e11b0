// A graph over the plies or games, drawn by uPlot in the colours of the page.
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import UPlot from "uplot";

export interface Series {
  label: string;
  values: (number | null)[];
  /** A custom property of the stylesheet. */
  color: string;
  dash?: number[];
  kind: "line" | "bars" | "steps";
}

export interface GraphProps {
  /** What it shows, for those who do not see it. */
  label: string;
  series: Series[];
  /** The value of x of the first entry. */
  from: number;
  /** The values of x, where they are not one apart. */
  xs?: number[];
  range: [number, number];
  /** How values of y are written at the axis. */
  unit: (value: number) => string;
  at?: number;
  onPick?: (x: number) => void;
  /** Where the pointer is; null when it leaves. */
  onHover?: (x: number | null) => void;
}

const GUTTER = 52;

function color(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

function paths(kind: Series["kind"]): UPlot.Series.PathBuilder | undefined {
  if (kind === "bars") return UPlot.paths.bars?.({ size: [0.8, 12], align: 0 });
  if (kind === "steps") return UPlot.paths.stepped?.({ align: 1 });
  return UPlot.paths.linear?.();
}

interface Changing {
  hover: (x: number | null) => void;
  range: () => [number, number];
}

function options(props: GraphProps, width: number, height: number, { hover, range }: Changing): UPlot.Options {
  const axis = { stroke: color("--ink-soft"), font: "12px system-ui, sans-serif", ticks: { show: false } };
  return {
    width,
    height,
    padding: [8, 16, 0, 0],
    legend: { show: false },
    hooks: { setCursor: [({ cursor, data }) => hover(cursor.idx === null || cursor.idx === undefined ? null : (data[0]?.[cursor.idx] ?? null))] },
    cursor: { y: false, drag: { setScale: false, x: false, y: false }, points: { size: 6 } },
    scales: { x: { time: false, range: (_plot, min, max) => [min - 0.5, max + 0.5] }, y: { range } },
    axes: [
      { ...axis, size: 24, space: 48, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000], grid: { show: false } },
      {
        ...axis,
        size: GUTTER,
        space: 20,
        grid: { stroke: color("--line"), width: 1 },
        values: (_plot, splits) => splits.map(props.unit),
      },
    ],
    series: [
      {},
      ...props.series.map((each): UPlot.Series => {
        const path = paths(each.kind);
        const fill = each.kind === "bars" ? { fill: color(each.color) } : {};
        return {
          label: each.label,
          stroke: color(each.color),
          width: each.kind === "bars" ? 0 : 2,
          spanGaps: true,
          points: { show: false },
          ...(each.dash ? { dash: each.dash } : {}),
          ...(path ? { paths: path } : {}),
          ...fill,
        };
      }),
    ],
  };
}

function placeMark(plot: UPlot, mark: HTMLElement, at: number | undefined): void {
  mark.hidden = at === undefined;
  if (at !== undefined) mark.style.left = `${plot.valToPos(at, "x")}px`;
}

function dataOf({ series, from, xs }: GraphProps): UPlot.AlignedData {
  return [xs ?? (series[0]?.values ?? []).map((_value, index) => from + index), ...series.map((each) => each.values)];
}

export function Graph(props: GraphProps) {
  const box = useRef<HTMLDivElement>(null);
  const latest = useRef(props);
  latest.current = props;
  const drawn = useRef<{ plot: UPlot; mark: HTMLElement; series: Series[] } | null>(null);
  useEffect(() => {
    const place = box.current;
    if (!place) return undefined;
    const draw = () => {
      drawn.current?.plot.destroy();
      const { at, series } = latest.current;
      const hover = (x: number | null) => latest.current.onHover?.(x);
      const range = () => latest.current.range;
      const plot = new UPlot(options(latest.current, place.clientWidth, place.clientHeight, { hover, range }), dataOf(latest.current), place);
      const mark = document.createElement("div");
      mark.className = "mark";
      plot.over.append(mark);
      plot.over.addEventListener("click", () => {
        const { left } = plot.cursor;
        if (left !== undefined && left >= 0) latest.current.onPick?.(Math.round(plot.posToVal(left, "x")));
      });
      drawn.current = { plot, mark, series };
      void Promise.resolve().then(() => placeMark(plot, mark, at));
    };
    draw();
    const scheme = matchMedia("(prefers-color-scheme: dark)");
    scheme.addEventListener("change", draw);
    const leave = () => latest.current.onHover?.(null);
    place.addEventListener("pointerleave", leave);
    const sizes = new ResizeObserver(() => {
      const { current } = drawn;
      if (!current || place.clientWidth === 0 || (current.plot.width === place.clientWidth && current.plot.height === place.clientHeight)) return;
      current.plot.setSize({ width: place.clientWidth, height: place.clientHeight });
      void Promise.resolve().then(() => placeMark(current.plot, current.mark, latest.current.at));
    });
    sizes.observe(place);
    return () => {
      sizes.disconnect();
      place.removeEventListener("pointerleave", leave);
      scheme.removeEventListener("change", draw);
      drawn.current?.plot.destroy();
      drawn.current = null;
    };
  }, [props.series.length]);
  // A game that is played grows: the plot stays, and has other values.
  useEffect(() => {
    const { current } = drawn;
    if (!current || current.series === props.series) return;
    current.series = props.series;
    current.plot.setData(dataOf(props));
    void Promise.resolve().then(() => placeMark(current.plot, current.mark, latest.current.at));
  }, [props.series]);
  useLayoutEffect(() => {
    if (drawn.current) placeMark(drawn.current.plot, drawn.current.mark, props.at);
  }, [props.at]);
  return <div ref={box} class={props.onPick ? "graph picks" : "graph"} role="img" aria-label={props.label} />;
}
