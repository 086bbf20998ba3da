import { optional } from "../../lib/kit/arg.ts";
import { textArg } from "../../lib/kit/basicArgs.ts";
import { int, list, shape, text } from "../../lib/kit/shape.ts";
import type { Snapshot } from "../../localnet/store/SnapshotFolder.ts";
import { arg } from "../declare/argument.ts";
import { endpointsOver } from "../declare/endpoint.ts";
import { typed } from "../v2/shapes/typed.ts";
import type { LocalServices } from "./LocalServices.ts";

const snapshot = shape<Snapshot>()({
  name: text("Name of the snapshot.", ({ name }) => name),
  mc_seqno: int("Seqno of its newest masterchain block.", ({ seqno }) => seqno),
  gen_utime: int("Time of that block, in Unix seconds.", ({ chainTime }) => chainTime),
  made_at: int("Time when it was made, in Unix seconds.", ({ madeAt }) => madeAt),
  bytes: int("Size of its file, in bytes.", ({ bytes }) => bytes),
});

const restored = typed<{ readonly seqno: number }>()("localnet.restored", {
  mc_seqno: int("Seqno of the newest masterchain block of the restored chain.", ({ seqno }) => seqno),
});

const name = textArg({ minLength: 1, maxLength: 64 });
const declare = endpointsOver<LocalServices>();

const common = { tag: "localnet", isExtra: true, methods: ["POST"] } as const;

/** A chain is written, checked and opened in a time that grows with its length. */
export const untilDone = { hasDeadline: false } as const;

/** Operations on snapshots of a running local network. */
export const snapshotEndpoints = [
  declare({
    name: "snapshots",
    ...common,
    summary: "The snapshots of the local network, oldest first.",
    description:
      "`GET /localnet/exportSnapshot?name=…` gives the file of one, which `tongate localnet --restore FILE` takes.",
    methods: ["GET"],
    args: {},
    result: list(snapshot),
    run: ({ snapshots }) => snapshots.list(),
  }),
  declare({
    name: "makeSnapshot",
    ...common,
    ...untilDone,
    summary: "Saves the current chain under a name; the network keeps running.",
    description: "Without a name it is called after its newest block, such as `block-104`.",
    args: { name: arg("Name of the snapshot.", optional(name), { value: "tried" }) },
    result: snapshot,
    run: ({ snapshots }, args) => snapshots.make(args.name),
  }),
  declare({
    name: "restoreSnapshot",
    ...common,
    ...untilDone,
    summary: "Replaces the running chain with that of a snapshot; the server keeps running.",
    description:
      "Later blocks are lost, also in the index, which is rebuilt from the first block. The time of the chain is that of the snapshot or of the machine, whichever is later. Requests get 503 until it is done.",
    args: { name: arg("Name of the snapshot.", name, { value: "tried" }) },
    result: restored,
    run: async ({ snapshots }, args) => ({ seqno: await snapshots.restore(args.name) }),
  }),
  declare({
    name: "reset",
    ...common,
    ...untilDone,
    summary: "Replaces the running chain with the one that it began with, without blocks and writes.",
    description:
      "As `restoreSnapshot` to the state before the first block. Snapshots stay. The demo contracts are made again.",
    args: {},
    result: restored,
    run: async ({ snapshots }) => ({ seqno: await snapshots.reset() }),
  }),
  declare({
    name: "deleteSnapshot",
    ...common,
    summary: "Deletes a snapshot; the running chain does not change.",
    args: { name: arg("Name of the snapshot.", name, { value: "tried" }) },
    result: snapshot,
    run: ({ snapshots }, args) => snapshots.delete(args.name),
  }),
];
