import type { Cell } from "../../cell/Cell.ts";
import type { MessageParts } from "../../chain/message.ts";
import { estimateFees, type FeeQuery } from "../../chain/run/fees.ts";
import { sendMessage, sendParts } from "../../chain/send.ts";
import { optional, withDefault } from "../../lib/kit/arg.ts";
import { arg, sampled } from "../declare/argument.ts";
import { ApiError } from "../declare/errors.ts";
import { largeProof, writeProof } from "../declare/proof.ts";
import { addressArg, bytesArg, plainBoolArg } from "./args.ts";
import { ignoringEmpty } from "./blockArgs.ts";
import { bocArg, readBag } from "./bocArg.ts";
import { cellTreeArg } from "./cellTreeArg.ts";
import { endpoint } from "./declare.ts";
import { answerError } from "./errors.ts";
import { onChain, onManyServers } from "./onChain.ts";
import { extMessageInfo, okShape, queryFees } from "./shapes/send.ts";

const messageArgs = {
  boc: arg("External message, signed, as a bag of cells in base64.", bocArg("body", "empty boc"), "signedBoc"),
};
const note = "Success means that a lite server accepted the message, not that it was executed.";

export const sendBoc = endpoint({
  name: "sendBoc",
  proof: writeProof,
  tag: "send",
  summary: "Sends an external message.",
  description: note,
  methods: ["POST"],
  args: messageArgs,
  result: okShape,
  run: onManyServers((chain, { boc }) => sendMessage(chain, boc)),
});

export const sendBocReturnHash = endpoint({
  name: "sendBocReturnHash",
  proof: writeProof,
  tag: "send",
  summary: "Sends an external message and returns its hashes.",
  description: `${note} \`hash\` is that of the message as sent, \`hash_norm\` that of its normal form.`,
  methods: ["POST"],
  args: messageArgs,
  result: extMessageInfo,
  run: onManyServers((chain, { boc }) => sendMessage(chain, boc)),
});

export const sendBocReturnHashNoError = endpoint({
  name: "sendBocReturnHashNoError",
  proof: writeProof,
  tag: "send",
  summary: "Sends an external message and returns its hashes; every failure is status 400.",
  description: note,
  isExtra: true,
  methods: ["POST"],
  statuses: [400],
  args: {
    boc: arg("External message, signed, as a bag of cells in base64.", bytesArg({ missing: "empty boc" }), "signedBoc"),
  },
  result: extMessageInfo,
  run: async (services, args, context) => {
    try {
      return await sendBytes(services, args, context);
    } catch (cause) {
      throw new ApiError("api/send", answerError(cause).text, { cause });
    }
  },
});

const sendBytes = onManyServers((chain, { boc }: { readonly boc: Uint8Array }) =>
  sendMessage(chain, { root: readBag(boc, "body"), bytes: boc }),
);

const address = arg("Address of the account that receives the message.", addressArg(), "wallet");
const words = {
  body: "Body of the message.",
  code: "Code of an account that is not deployed yet.",
  data: "Data of an account that is not deployed yet.",
};

const queryArgs = {
  address,
  body: arg(words.body, bocArg("body", "failed to parse body", "bytes"), { value: "te6cckEBAQEAAgAAAEysuc0=" }),
  init_code: arg(words.code, ignoringEmpty(bocArg("init_code", "failed to parse init_code"))),
  init_data: arg(words.data, ignoringEmpty(bocArg("init_data", "failed to parse init_data"))),
};
const signedQueryArgs = {
  address: sampled(address, "signedFrom"),
  body: sampled(queryArgs.body, "signedBody"),
  init_code: sampled(queryArgs.init_code, "signedCode"),
  init_data: sampled(queryArgs.init_data, "signedData"),
};

const treeArgs = {
  address,
  body: arg(words.body, cellTreeArg, { value: { data: { b64: "", len: 0 }, refs: [] } }),
  init_code: arg(words.code, optional(cellTreeArg)),
  init_data: arg(words.data, optional(cellTreeArg)),
};
const signedTreeArgs = {
  address: sampled(address, "signedFrom"),
  body: sampled(treeArgs.body, "signedBodyTree"),
  init_code: sampled(treeArgs.init_code, "signedCodeTree"),
  init_data: sampled(treeArgs.init_data, "signedDataTree"),
};

export const sendQuery = endpoint({
  name: "sendQuery",
  proof: writeProof,
  tag: "send",
  summary: "Builds an external message from its parts and sends it.",
  description: note,
  isExtra: true,
  methods: ["POST"],
  args: signedQueryArgs,
  result: okShape,
  run: onManyServers((chain, { address: { address }, body, init_code: code, init_data: data }) =>
    sendParts(chain, { address, body: body.root, init: initOf(code?.root, data?.root) }),
  ),
});

export const sendQuerySimple = endpoint({
  name: "sendQuerySimple",
  proof: writeProof,
  tag: "send",
  summary: "Builds an external message from its parts, given as trees of cells, and sends it.",
  description: note,
  isExtra: true,
  methods: ["POST"],
  args: signedTreeArgs,
  result: okShape,
  run: onManyServers((chain, { address: { address }, body, init_code: code, init_data: data }) =>
    sendParts(chain, { address, body, init: initOf(code, data) }),
  ),
});

/** Without code there is nothing to deploy: data alone is ignored. */
function initOf(code: Cell | undefined, data: Cell | undefined): MessageParts["init"] {
  return code === undefined ? undefined : { code, data: data ?? readBag(new Uint8Array(), "init_data") };
}

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
