import { estimateFees, type FeeQuery } from "../../chain/run/fees.ts";
import { withDefault } from "../../lib/kit/arg.ts";
import { arg } from "../declare/argument.ts";
import { largeProof } from "../declare/proof.ts";
import { plainBoolArg } from "./args.ts";
import { endpoint } from "./declare.ts";
import { initOf, queryArgs, treeArgs } from "./messageArgs.ts";
import { onChain } from "./onChain.ts";
import { queryFees } from "./shapes/send.ts";

const feeNote =
  "The message is run on the current account. `init_code` and `init_data` replace the account's code and data and are sent with the message.";

function signatures(ignore: boolean): FeeQuery["signatures"] {
  return ignore ? "ignore" : "check";
}

export const estimateFee = endpoint({
  name: "estimateFee",
  proof: largeProof,
  tag: "send",
  summary: "Estimates the fees of an external message.",
  description: feeNote,
  methods: ["POST"],
  args: {
    ...queryArgs,
    ignore_chksig: arg(
      "Take every signature as valid, for messages that are not signed yet.",
      withDefault(plainBoolArg, true),
      { value: true },
    ),
  },
  result: queryFees,
  run: onChain((chain, { address: { address }, body, init_code: code, init_data: data, ignore_chksig: ignore }) => {
    const parts = { address, body: body.root, init: initOf(code?.root, data?.root) };
    return estimateFees(chain, { ...parts, signatures: signatures(ignore) });
  }),
});

export const estimateFeeSimple = endpoint({
  name: "estimateFeeSimple",
  proof: largeProof,
  tag: "send",
  summary: "Estimates the fees of an external message; its parts are given as trees of cells.",
  description: feeNote,
  isExtra: true,
  methods: ["POST"],
  args: {
    ...treeArgs,
    ignore_chksig: arg(
      "Take every signature as valid, for messages that are not signed yet.",
      withDefault(plainBoolArg, true),
      { value: true },
    ),
  },
  result: queryFees,
  run: onChain((chain, { address: { address }, body, init_code: code, init_data: data, ignore_chksig: ignore }) =>
    estimateFees(chain, { address, body, init: initOf(code, data), signatures: signatures(ignore) }),
  ),
});
