import { formatCoins } from "../format/coins.ts";

/** Features of this server besides v2 and v3. */
export interface About {
  /** Name of the network. */
  readonly network: string;
  /** Whether it is a local network, with faucet and clock. */
  readonly local: boolean;
  /** What its coin is called. */
  readonly coin: { readonly name: string; readonly symbol: string };
  readonly streaming: boolean;
  readonly emulate: boolean;
  readonly version: string;
}

const unknown: About = {
  network: "",
  local: false,
  coin: { name: "Toncoin", symbol: "TON" },
  streaming: false,
  emulate: false,
  version: "",
};
let known: About = unknown;

export function about(): About {
  return known;
}

/** An amount of the network's coin with its unit. */
export function formatAmount(nanocoins: string | bigint): string {
  return `${formatCoins(nanocoins)} ${known.coin.symbol}`;
}

/** Loads it once, before the first page is shown. */
export async function loadAbout(): Promise<void> {
  const response = await fetch("/explorer/about.json");
  if (response.ok) known = { ...unknown, ...Object(await response.json()) };
}
