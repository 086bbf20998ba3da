/** Features of this server besides v2 and v3. */
export interface About {
  /** Name of the network. */
  readonly network: string;
  /** Whether it is a local network, with faucet and clock. */
  readonly local: boolean;
  readonly streaming: boolean;
  readonly emulate: boolean;
  readonly version: string;
}

const unknown: About = { network: "", local: false, streaming: false, emulate: false, version: "" };
let known: About = unknown;

export function about(): About {
  return known;
}

/** Loads it once, before the first page is shown. */
export async function loadAbout(): Promise<void> {
  const response = await fetch("/explorer/about.json");
  if (response.ok) known = { ...unknown, ...Object(await response.json()) };
}
