import { bool, list, shape } from "../../lib/kit/shape.ts";
import type { ControlledNet } from "../../localnet/offer/LocalOffer.ts";
import { arg } from "../declare/argument.ts";
import { endpointsOver } from "../declare/endpoint.ts";
import { hashArg } from "../v2/args.ts";
import { boc } from "../v2/shapes/ids.ts";
import { hash64, rawLower } from "../v2/shapes/scalars.ts";
import { typed } from "../v2/shapes/typed.ts";
import type { LocalServices } from "./LocalServices.ts";

const waiting = shape<ReturnType<ControlledNet["waiting"]>[number]>()({
  hash: hash64("Hash of the message, in base64.", (message) => message.hash),
  destination: rawLower("Address of the receiver, in raw form.", (message) => message.dest),
  is_control: bool("Whether a control sent it.", (message) => message.onLeft !== undefined),
  boc: boc("The message as a bag of cells in base64.", (message) => message.cell),
});

const dropped = typed<boolean>()("localnet.dropped", {
  dropped: bool("Whether the message waited, and does not any more.", (isDropped) => isDropped),
});

const declare = endpointsOver<LocalServices>();

/** Messages that wait for a block. */
export const mempoolEndpoints = [
  declare({
    name: "mempool",
    tag: "blocks",
    summary: "The messages that wait for a block, in the order in which they will be tried.",
    isExtra: true,
    methods: ["GET"],
    args: {},
    result: list(waiting),
    run: ({ net }) => net.waiting(),
  }),
  declare({
    name: "drop",
    tag: "blocks",
    summary: "Drops a message that waits for a block.",
    isExtra: true,
    methods: ["POST"],
    args: { hash: arg("Hash of the message.", hashArg(), "hash") },
    result: dropped,
    run: ({ net }, { hash }) => net.drop(hash),
  }),
];
