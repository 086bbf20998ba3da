import { replaySteps } from "../../chain/replay/replaySteps.ts";
import { withDefault } from "../../lib/kit/arg.ts";
import { arg } from "../declare/argument.ts";
import { largeProof } from "../declare/proof.ts";
import { addressArg, hashArg, intArg, longArg } from "./args.ts";
import { endpoint } from "./declare.ts";
import { onChain } from "./onChain.ts";
import { replayedTransaction } from "./shapes/replay.ts";

export const replayTransaction = endpoint({
  name: "replayTransaction",
  proof: largeProof,
  tag: "transactions",
  summary: "Runs a transaction again on the proved state before it, step by step.",
  description:
    "The state, the configuration, the libraries and the message come from lite servers with proofs; `is_equal` says whether the run makes the transaction of the chain. `steps` is the part of the run from step `from` on, at most `limit` steps: read a long run page by page.",
  isExtra: true,
  statuses: [404],
  args: {
    address: arg("Account of the transaction.", addressArg(), "account"),
    lt: arg("Logical time of the transaction.", longArg({ min: 0 }), "lt"),
    hash: arg("Hash of the transaction.", hashArg(), "hash"),
    from: arg("Number of the first step, from zero.", withDefault(intArg({ min: 0, max: 100_000_000 }), 0)),
    limit: arg("Largest number of steps in the answer.", withDefault(intArg({ min: 1, max: 1000 }), 100), {
      value: 20,
    }),
  },
  result: replayedTransaction,
  cache: "forever",
  run: onChain((chain, { address: { address }, lt, hash, from, limit }) =>
    replaySteps(chain, address, { lt, hash }, { from, limit }),
  ),
});
