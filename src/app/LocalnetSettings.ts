import type { LocalnetOptions } from "../localnet/Localnet.ts";

/** How a local network is run. */
export interface LocalnetSettings {
  readonly pace: LocalnetOptions["pace"];
  readonly folder: string;
  readonly port: number | undefined;
  readonly seed: string;
  /** Transfers a second that the traffic generator makes; 0 for none. */
  readonly traffic: number;
}
