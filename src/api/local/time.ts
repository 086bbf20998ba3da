import { int } from "../../lib/kit/shape.ts";
import { endpointsOver } from "../declare/endpoint.ts";
import { typed } from "../v2/shapes/typed.ts";
import type { LocalServices } from "./LocalServices.ts";

/** The time of a chain and of its machine, in Unix seconds. */
export interface ChainTime {
  readonly now: number;
  readonly machineNow: number;
}

export const chainTime = typed<ChainTime>()("localnet.time", {
  now: int("Time of the chain, in Unix seconds.", ({ now }) => now),
  machine_now: int("Time of this machine, in Unix seconds.", ({ machineNow }) => machineNow),
  ahead: int("Seconds by which the chain is ahead of this machine.", ({ now, machineNow }) => now - machineNow),
});

/** The current values of both clocks. */
export function readTime({ now, clock }: Pick<LocalServices, "now" | "clock">): ChainTime {
  return { now: now(), machineNow: Math.floor(clock.now() / 1_000) };
}

/** Returns the time of the chain. */
export const time = endpointsOver<LocalServices>()({
  name: "time",
  tag: "localnet",
  summary: "The time of the local network, and how far it is ahead of this machine.",
  description:
    "The chain's time goes ahead by `advance` and never back. While it is ahead, messages whose expiry was computed by the clock of a machine are refused as expired. A new chain or a restored snapshot begins with the clock again.",
  isExtra: true,
  methods: ["GET"],
  args: {},
  result: chainTime,
  run: readTime,
});
