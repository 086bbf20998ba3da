import { sendMessage, sendParts } from "../../chain/send.ts";
import { arg, sampled } from "../declare/argument.ts";
import { ApiError } from "../declare/errors.ts";
import { writeProof } from "../declare/proof.ts";
import { bytesArg } from "./args.ts";
import { bocArg, readBag } from "./bocArg.ts";
import { endpoint } from "./declare.ts";
import { answerError } from "./errors.ts";
import { initOf, queryArgs, treeArgs } from "./messageArgs.ts";
import { onManyServers } from "./onChain.ts";
import { extMessageInfo, okShape } from "./shapes/send.ts";

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

const signedQueryArgs = {
  address: sampled(queryArgs.address, "signedFrom"),
  body: sampled(queryArgs.body, "signedBody"),
  init_code: sampled(queryArgs.init_code, "signedCode"),
  init_data: sampled(queryArgs.init_data, "signedData"),
};

const signedTreeArgs = {
  address: sampled(queryArgs.address, "signedFrom"),
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
