interface Props {
  readonly values: readonly number[];
  readonly label: string;
  readonly height?: number;
  /** What each bar stands for. */
  readonly names?: readonly string[];
}

const barWidth = 6;

/** A bar chart of one series, newest at the right. */
export function Bars({ values, label, height = 36, names = [] }: Props) {
  const max = Math.max(1, ...values);
  return (
    <svg
      class="bars"
      viewBox={`0 0 ${values.length * barWidth} ${height}`}
      role="img"
      aria-label={label}
      preserveAspectRatio="none"
    >
      {values.map((value, at) => {
        const tall = Math.max(1, (value / max) * height);
        return (
          <rect key={`bar ${at}`} x={at * barWidth + 1} y={height - tall} width={barWidth - 2} height={tall} rx="1">
            {names[at] !== undefined && <title>{names[at]}</title>}
          </rect>
        );
      })}
    </svg>
  );
}

export interface Point {
  readonly at: number;
  readonly value: number;
}

/** A line chart over time, labelled with minimum, maximum, first and last time. */
export function LineChart({
  points,
  label,
  unit,
}: {
  readonly points: readonly Point[];
  readonly label: string;
  readonly unit: string;
}) {
  const [width, height] = [600, 140];
  const max = Math.max(1, ...points.map(({ value }) => value));
  const first = points[0]?.at ?? 0;
  const span = Math.max(1, (points[points.length - 1]?.at ?? 0) - first);
  const place = ({ at, value }: Point) => `${((at - first) / span) * width},${height - (value / max) * (height - 10)}`;
  const newest = points[points.length - 1]?.value ?? 0;
  return (
    <figure class="chart">
      <figcaption>
        {label}: <strong class="number">{format(newest)}</strong> {unit}
      </figcaption>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={`${label}, now ${format(newest)} ${unit}, at most ${format(max)}`}
        preserveAspectRatio="none"
      >
        <path class="grid" d={`M0 10H${width}M0 ${height / 2}H${width}M0 ${height - 0.5}H${width}`} />
        <polyline points={points.map(place).join(" ")} />
      </svg>
      <div class="scale">
        <span>{Math.round(span)} s ago</span>
        <span>
          most: {format(max)} {unit}
        </span>
        <span>now</span>
      </div>
    </figure>
  );
}

function format(value: number): string {
  return value >= 100 || Number.isInteger(value) ? String(Math.round(value)) : value.toFixed(1);
}
