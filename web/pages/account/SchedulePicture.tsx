import { formatAmount } from "../../api/features.ts";
import { formatCoins } from "../../format/coins.ts";
import { formatMoment } from "../../format/time.ts";
import { listSteps, lockedAt, type Schedule } from "./facts.ts";

const [width, height] = [600, 120];

/** The locked amount over time, with a mark at the present. */
export function SchedulePicture({ schedule, now }: { readonly schedule: Schedule; readonly now: number }) {
  const { start, duration, amount } = schedule;
  if (duration <= 0 || amount <= 0n) return null;
  const x = (at: number) => (Math.max(0, Math.min(1, (at - start) / duration)) * width).toFixed(1);
  const y = (locked: bigint) => (height - (Number((locked * 1_000n) / amount) / 1_000) * (height - 4)).toFixed(1);
  const path = listSteps(schedule)
    .map(([at, locked], index) => (index === 0 ? `M${x(at)} ${y(locked)}` : `H${x(at)}V${y(locked)}`))
    .join("");
  return (
    <figure class="chart">
      <svg
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={`Locked coins over time: ${formatCoins(lockedAt(schedule, now))} of ${formatAmount(amount)} now`}
        preserveAspectRatio="none"
      >
        <path class="area" d={`${path}V${height}H0Z`} />
        <path class="now" d={`M${x(now)} 0V${height}`} />
      </svg>
      <div class="scale">
        <span>{formatMoment(start).slice(0, 10)}</span>
        <span>locked coins; the line is now</span>
        <span>{formatMoment(start + duration).slice(0, 10)}</span>
      </div>
    </figure>
  );
}
