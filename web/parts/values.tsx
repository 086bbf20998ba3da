import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { findKnown } from "../api/book.ts";
import { about, formatAmount } from "../api/features.ts";
import type { BlockId } from "../api/types.ts";
import { href } from "../browser/router.ts";
import { formatCoins, formatCount, formatUnits } from "../format/coins.ts";
import { hashInPath, parseHash, shorten } from "../format/hash.ts";
import { warnOfSymbol } from "../format/symbols.ts";
import { formatAge, formatMoment } from "../format/time.ts";
import { Copy } from "./Copy.tsx";

/** An amount of the network's coin. */
export function Coins({
  value,
  isSigned = false,
  isBrief = false,
}: {
  readonly value: string | bigint | null | undefined;
  readonly isSigned?: boolean;
  /** Cuts the amount to hundredths; the title has all of it. */
  readonly isBrief?: boolean;
}) {
  if (value === null || value === undefined) return <span class="muted">–</span>;
  const amount = BigInt(value);
  const tone = !isSigned || amount === 0n ? "" : amount > 0n ? " gain" : " loss";
  const shown = isBrief ? amount - (amount % 10_000_000n) : amount;
  return (
    <span class={`amount${tone}`} title={isBrief ? formatAmount(amount) : undefined}>
      {isSigned && amount > 0n ? "+" : ""}
      {formatCoins(shown)} <span class="unit">{about().coin.symbol}</span>
    </span>
  );
}

/**
 * An amount of a jetton, with its decimals, or of coins when there is no asset. Anybody can give a jetton any symbol:
 * the amount is always marked as one of a jetton, and a symbol that is taken for another asset is named as such.
 */
export function TokenAmount({
  value,
  asset,
  isSigned = false,
}: {
  readonly value: string | null | undefined;
  readonly asset: string | null | undefined;
  readonly isSigned?: boolean;
}) {
  if (value === null || value === undefined) return <span class="muted">some</span>;
  if (asset === null || asset === undefined) return <Coins value={value} isSigned={isSigned} />;
  const { token } = findKnown(asset);
  const amount = BigInt(value);
  const tone = !isSigned || amount === 0n ? "" : amount > 0n ? " gain" : " loss";
  return (
    <span class={`amount token${tone}`}>
      {isSigned && amount > 0n ? "+" : ""}
      {formatUnits(value, token?.decimals ?? 0)}{" "}
      <a class="unit" {...(asset === "" ? {} : { href: href(`/jetton/${asset}`) })}>
        <bdi>{token?.symbol ?? token?.name ?? "units of a"}</bdi> jetton
      </a>
      <SymbolWarning asset={asset} />
    </span>
  );
}

/** Says when the symbol of a jetton is the one of the coin or of a known token. */
export function SymbolWarning({ asset }: { readonly asset: string }) {
  const { token } = findKnown(asset);
  const warning = [token?.symbol, token?.name].map((name) => name && warnOfSymbol(name, asset)).find(Boolean);
  return warning ? (
    <>
      {" "}
      <Badge tone="warn">{warning}</Badge>
    </>
  ) : null;
}

/** A hash with a copy button, and a link to its page if there is one. */
export function HashText({
  hash,
  to,
  isFull = false,
}: {
  readonly hash: string | null | undefined;
  readonly to?: "tx" | "trace";
  readonly isFull?: boolean;
}) {
  if (hash === null || hash === undefined) return <span class="muted">–</span>;
  const hex = parseHash(hash) ?? hash;
  const text = <code>{isFull ? hex : shorten(hex, 8, 6)}</code>;
  return (
    <span class="hash" title={hex}>
      {to === undefined ? text : <a href={href(`/${to}/${hashInPath(hash)}`)}>{text}</a>}
      {isFull && <Copy text={hex} what="hash" />}
    </span>
  );
}

export function blockPath({ workchain, shard, seqno }: BlockId): string {
  return `/block/${workchain}/${shard}/${seqno}`;
}

/** A block by its seqno; without a shard for masterchain blocks. */
export function BlockLink({ block }: { readonly block: BlockId }) {
  const { workchain, shard, seqno } = block;
  const where = workchain === -1 ? "" : ` of shard ${workchain}:${shard.replace(/0+$/, "") || "0"}`;
  return (
    <a href={href(blockPath(block))} title={`(${workchain},${shard},${seqno})`}>
      <span class="number">{formatCount(seqno)}</span>
      {where}
    </a>
  );
}

const tickers = new Set<() => void>();
setInterval(() => {
  for (const tick of tickers) tick();
}, 1_000);

/** The current Unix time in seconds, updated every second. */
export function useNow(): number {
  const [now, setNow] = useState(() => Date.now() / 1000);
  useEffect(() => {
    const tick = () => setNow(Date.now() / 1000);
    tickers.add(tick);
    return () => {
      tickers.delete(tick);
    };
  }, []);
  return now;
}

/** A time relative to now; the title shows the date. */
export function Ago({ at }: { readonly at: number | string }) {
  const now = useNow();
  return (
    <time class="number" dateTime={new Date(Number(at) * 1000).toISOString()} title={formatMoment(Number(at))}>
      {formatAge(Number(at), now)}
    </time>
  );
}

/** A time with its date. */
export function Moment({ at }: { readonly at: number | string }) {
  return (
    <span>
      {formatMoment(Number(at))}{" "}
      <span class="muted">
        (<Ago at={at} />)
      </span>
    </span>
  );
}

export type Tone = "good" | "bad" | "warn" | "plain";

export function Badge({ tone = "plain", children }: { readonly tone?: Tone; readonly children: ComponentChildren }) {
  return <span class={`badge ${tone}`}>{children}</span>;
}
