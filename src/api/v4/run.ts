import { storeCell } from "../../cell/codec.ts";
import type { AccountNow } from "../../chain/accounts.ts";
import { type MethodOutcome, runMethodAt } from "../../chain/run/getMethod.ts";
import { deferJson, writeEncoded } from "../../lib/kit/deferredJson.ts";
import { field, int, shape } from "../../lib/kit/shape.ts";
import { VmStack } from "../../model/vm/VmStack.ts";
import { arg } from "../declare/argument.ts";
import { largeProof } from "../declare/proof.ts";
import { boc } from "../v2/shapes/ids.ts";
import { methodArg } from "../v2/stackArgs.ts";
import { addressArg, seqnoArg } from "./args.ts";
import { endpoint } from "./declare.ts";
import { onBlock } from "./onBlock.ts";
import { blockId } from "./shapes/ids.ts";
import { stackItems } from "./shapes/stack.ts";
import { stackArg } from "./stackArg.ts";

interface MethodRun {
  readonly args: VmStack;
  readonly account: AccountNow;
  readonly outcome: MethodOutcome;
}

/** Written after the items, whose limits hold for it too: tuples that share their items would be stored without end. */
const rawStack = field({
  schema: boc.schema,
  encode: (stack: VmStack) =>
    deferJson<string>(function* (sink) {
      yield* writeEncoded(sink, () => boc.encode(storeCell(VmStack, stack)));
    }),
});

const runAnswer = shape<MethodRun>()({
  arguments: stackItems("Arguments of the method, the first one first.", (run) => run.args),
  result: stackItems("Values that the method returned, the first one first.", (run) => run.outcome.stack),
  exitCode: int("Exit code of the method; 0 and 1 mean success.", (run) => run.outcome.exitCode),
  resultRaw: rawStack("Values that the method returned, as the bag of a stack in base64.", (run) => run.outcome.stack),
  block: blockId("Masterchain block at which the account was read.", (run) => run.account.block),
  shardBlock: blockId("Shard block with the account.", (run) => run.account.shardBlock),
});

/** A stack without values, as a bag. */
const emptyStack = boc.encode(storeCell(VmStack, [])).replaceAll("/", "_").replaceAll("+", "-");

const common = {
  tag: "run method",
  summary: "Runs a get-method on an account at a block.",
  description:
    "Configuration, time, libraries and previous blocks are those of the block. Every exit code is answered as a result.",
  statuses: [404, 415, 533],
  cache: "forever",
  args: {
    seqno: seqnoArg,
    address: addressArg,
    method: arg("Get-method, by name or number.", methodArg, { value: "seqno" }),
    args: arg("Arguments of the method, the first one deepest.", stackArg, { value: emptyStack }),
  },
  result: runAnswer,
  run: onBlock(
    async (chain, { address, method, args }: Pick<MethodRun, "args"> & RunArgs): Promise<MethodRun> => ({
      args,
      ...(await runMethodAt(chain, address, { method, stack: args })),
    }),
  ),
} as const;

interface RunArgs {
  readonly seqno: number;
  readonly address: AccountNow["address"];
  readonly method: string | number;
}

export const runMethod = endpoint({
  ...common,
  name: "runMethod",
  proof: largeProof,
  path: "block/{seqno}/{address}/run/{method}",
});

export const runMethodWithArgs = endpoint({
  ...common,
  name: "runMethodWithArgs",
  proof: largeProof,
  path: "block/{seqno}/{address}/run/{method}/{args}",
  methods: ["GET"],
});
