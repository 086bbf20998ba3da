import { optional } from "../../lib/kit/arg.ts";
import { oneOfArg } from "../../lib/kit/basicArgs.ts";
import { int, nullable, text } from "../../lib/kit/shape.ts";
import type { ControlledNet } from "../../localnet/offer/LocalOffer.ts";
import { arg } from "../declare/argument.ts";
import { endpointsOver } from "../declare/endpoint.ts";
import { boolArg, intArg } from "../v2/args.ts";
import { typed } from "../v2/shapes/typed.ts";
import type { LocalServices } from "./LocalServices.ts";
import { chainTime, readTime } from "./time.ts";

type Pace = ControlledNet["pace"];

const modes = { steady: "interval", onDemand: "message", manual: "manual" } as const satisfies Record<
  Pace["kind"],
  string
>;
/** The interval where none was used before. */
export const defaultBlockMs = 1_000;

const pace = typed<Pace>()("localnet.pace", {
  mode: text("When blocks are made: `interval`, `message` or `manual`.", ({ kind }) => modes[kind]),
  block_ms: nullable(int)("Milliseconds between blocks; null if not by interval.", (pace) =>
    pace.kind === "steady" ? pace.blockMs : undefined,
  ),
});

const declare = endpointsOver<LocalServices>();
/** As `--block-ms`. */
const blockMs = intArg({ min: 200, max: 3_600_000 });

const common = { tag: "blocks", isExtra: true, methods: ["POST"] } as const;

/** Controls of when blocks are made, and with which time. */
export const paceEndpoints = [
  declare({
    name: "blockTime",
    ...common,
    summary: "Makes blocks at an interval.",
    args: { block_ms: arg("Milliseconds from a block to the next.", blockMs, { value: 1_000 }) },
    result: pace,
    run: ({ net }, args) => {
      net.setPace({ kind: "steady", blockMs: args.block_ms });
      return net.pace;
    },
  }),
  declare({
    name: "automaticBlocks",
    ...common,
    summary: "When blocks are made: by interval, as soon as a message waits, or only on request.",
    description:
      "With `message` a block is made at once when there is work, and none otherwise. With `manual` only `block` makes one. A restart begins with `--block-ms` again.",
    args: {
      mode: arg("When blocks are made.", oneOfArg(["interval", "message", "manual"]), { value: "interval" }),
      block_ms: arg("Milliseconds from a block to the next, by interval.", optional(blockMs)),
    },
    result: pace,
    run: ({ net }, { mode, block_ms: wanted }) => {
      const before = net.pace.kind === "steady" ? net.pace.blockMs : defaultBlockMs;
      if (mode === "interval") net.setPace({ kind: "steady", blockMs: wanted ?? before });
      else net.setPace({ kind: mode === "message" ? "onDemand" : "manual" });
      return net.pace;
    },
  }),
  declare({
    name: "freezeTime",
    ...common,
    summary: "Stops the time of the chain, or lets it go on.",
    description:
      "While it is stopped, blocks are made with the same time, and only `advance` and `setTime` move it. What passed meanwhile passes at once when it goes on.",
    args: { frozen: arg("Whether time stands still.", boolArg, { value: false }) },
    result: chainTime,
    run: (services, { frozen }) => {
      const { clock } = services.net;
      if (frozen) clock.freeze();
      else clock.unfreeze();
      return readTime(services);
    },
  }),
  declare({
    name: "setTime",
    ...common,
    summary: "Sets the time of the chain; the next block has it.",
    description: "Time goes forwards only.",
    args: { time: arg("New time, in Unix seconds.", intArg({ min: 1 }), { value: 2_000_000_000 }) },
    result: chainTime,
    run: (services, { time: seconds }) => {
      services.net.clock.set(seconds);
      return readTime(services);
    },
  }),
];
