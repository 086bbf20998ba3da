import { sendMessage as submit } from "../../chain/send.ts";
import { int, shape } from "../../lib/kit/shape.ts";
import { arg } from "../declare/argument.ts";
import { writeProof } from "../declare/proof.ts";
import { bocArg } from "../v2/bocArg.ts";
import { onManyServers } from "../v2/onChain.ts";
import { endpoint } from "./declare.ts";

export const sendMessage = endpoint({
  name: "sendMessage",
  proof: writeProof,
  path: "send",
  tag: "send",
  summary: "Sends an external message.",
  description:
    "`status` is that of the lite servers: 1 means that they accepted the message, not that it was executed.",
  methods: ["POST"],
  args: {
    boc: arg("External message, signed, as a bag of cells in base64.", bocArg("body", "empty boc"), "signedBoc"),
  },
  result: shape<unknown>()({ status: int("1: lite servers have accepted the message.", () => 1) }),
  run: onManyServers((chain, { boc }) => submit(chain, boc)),
});
