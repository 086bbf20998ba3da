import { checkSuccess, runMethodAt } from "../../chain/run/getMethod.ts";
import type { Arg } from "../../lib/kit/arg.ts";
import { arg } from "../declare/argument.ts";
import { largeProof } from "../declare/proof.ts";
import { accountArgs } from "./args.ts";
import { endpoint } from "./declare.ts";
import { onChain } from "./onChain.ts";
import { legacyRunResult, typedRunResult } from "./shapes/stack.ts";
import { legacyStackArg, methodArg, typedStackArg } from "./stackArgs.ts";

const note =
  "The code runs here, with at most 4,000,000 gas. With `seqno` the account is that of the block; configuration and previous blocks are always the newest. Numbers are taken with up to 80 digits, although the machine has only 257 bits with their sign: a larger one is handed back as it was given where the code only passes it on, and is no number (NaN) to code that computes with it. At most 8,000 entries may be given and are answered, inner ones counted.";

const common = {
  proof: largeProof,
  tag: "run method",
  methods: ["POST"],
  statuses: [533, 542],
  cache: "head",
} as const;

/** The arguments of a call, whose stack has one of two notations. */
const callArgs = <Stack extends Arg<unknown>>(stack: Stack) => ({
  address: accountArgs.address,
  method: arg("Get-method, by name or number.", methodArg, { value: "seqno" }),
  stack: arg("Arguments of the method, first one first, each with its type.", stack, { value: [] }),
  seqno: accountArgs.seqno,
});

export const runGetMethod = endpoint({
  name: "runGetMethod",
  ...common,
  summary: "Runs a get-method; the stack is written as pairs.",
  description: `${note} Every exit code is answered as a result.`,
  args: callArgs(legacyStackArg),
  result: legacyRunResult,
  run: onChain((chain, { address: { address }, method, stack, seqno }) =>
    runMethodAt(chain, address, { method, stack }, seqno),
  ),
});

export const runGetMethodStd = endpoint({
  name: "runGetMethodStd",
  ...common,
  summary: "Runs a get-method; the stack is written as typed entries.",
  description: `${note} An exit code other than 0 and 1 is an error, unless the server is configured to answer it as a result.`,
  args: callArgs(typedStackArg),
  result: typedRunResult,
  run: onChain(async (chain, { address: { address }, method, stack, seqno }, _context, { stdExitCode = "error" }) => {
    const { outcome } = await runMethodAt(chain, address, { method, stack }, seqno);
    if (stdExitCode === "error") checkSuccess(outcome);
    return outcome;
  }),
});
