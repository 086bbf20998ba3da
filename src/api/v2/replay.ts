import { replaySteps } from "../../chain/replay/replaySteps.ts";
import { findSourceLine } from "../../contracts/abi/files/sourceText.ts";
import { optional, withDefault } from "../../lib/kit/arg.ts";
import { arg } from "../declare/argument.ts";
import { largeProof } from "../declare/proof.ts";
import { addressArg, boolArg, hashArg, intArg, linesArg, longArg } from "./args.ts";
import { endpoint } from "./declare.ts";
import { onChain } from "./onChain.ts";
import { replayedTransaction } from "./shapes/replay.ts";

export const replayTransaction = endpoint({
  name: "replayTransaction",
  proof: largeProof,
  tag: "transactions",
  summary: "Runs a transaction again on the proved state before it, step by step.",
  description:
    "The state, the configuration, the libraries and the message come from lite servers with proofs; `is_equal` says whether the run makes the transaction of the chain. `steps` is the part of the run from step `from` on, at most `limit` steps: read a long run page by page. With `source` each step has its line in the source that is kept with an ABI of the contract, if that compiles to this code.",
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
    source: arg("Whether steps get lines of the source, and gas is counted by line.", withDefault(boolArg, false)),
    break: arg(
      "Lines of the source as `FILE:LINE`, joined by commas: the first step is the next one, from `from` on, at which one of them begins.",
      optional(linesArg),
    ),
  },
  result: replayedTransaction,
  // Sources come and go.
  cache: ({ source, break: lines }) => (source || lines !== undefined ? "none" : "forever"),
  run: onChain((chain, { address: { address }, lt, hash, from, limit, source, break: lines }, _, services) => {
    const breaks = lines?.split(",").flatMap((line) => findSourceLine(line) ?? []);
    const find = source || breaks !== undefined ? services.findSourceMap : undefined;
    return replaySteps(chain, address, { lt, hash }, { from, limit, breaks }, find);
  }),
});
