import { shareOf } from "../format/share.ts";

/** A part of a whole as a bar with its percentage. */
export function ShareBar({ part, whole }: { readonly part: bigint; readonly whole: bigint }) {
  const share = shareOf(part, whole);
  return (
    <span class="share">
      <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
        <rect width={Math.max(0.5, share)} height="10" />
      </svg>
      <span class="number">{share < 0.01 && part > 0n ? "< 0.01" : share.toFixed(2)} %</span>
    </span>
  );
}
