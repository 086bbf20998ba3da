import { optional, withDefault } from "../../lib/kit/arg.ts";
import { textArg } from "../../lib/kit/basicArgs.ts";
import { int, nullable } from "../../lib/kit/shape.ts";
import type { SignedTransfer } from "../../localnet/offer/signOffered.ts";
import { arg } from "../declare/argument.ts";
import { endpointsOver } from "../declare/endpoint.ts";
import { addressArg, boolArg, intArg } from "../v2/args.ts";
import { boc } from "../v2/shapes/ids.ts";
import { hash64, rawLower } from "../v2/shapes/scalars.ts";
import { typed } from "../v2/shapes/typed.ts";
import { bagArg, coinsArg } from "./args.ts";
import type { LocalServices } from "./LocalServices.ts";

const day = 24 * 3600;

const signed = typed<SignedTransfer>()("localnet.signedTransfer", {
  from: rawLower("Address of the wallet that signed, in raw form.", ({ from }) => from),
  boc: boc("External message as a bag of cells in base64.", ({ message }) => message),
  message_hash: hash64("Hash of the external message, in base64.", ({ message }) => message.hash()),
  body: boc("Body of the message, with the signature, as a bag of cells in base64.", ({ body }) => body),
  init_code: nullable(boc)(
    "Code of a wallet that sends for the first time, as a bag of cells in base64; null otherwise.",
    ({ init }) => init?.code,
  ),
  init_data: nullable(boc)(
    "Data of a wallet that sends for the first time, as a bag of cells in base64; null otherwise.",
    ({ init }) => init?.data,
  ),
  valid_until: int("Time until which the chain accepts the message, in Unix seconds.", ({ validUntil }) => validUntil),
});

/** Signs for a funded wallet. */
export const signTransfer = endpointsOver<LocalServices>()({
  name: "signTransfer",
  tag: "localnet",
  summary: "Signs a transfer of one of the funded wallets, and does not send it.",
  description:
    "`boc` is the external message: emulate it with `/api/emulate/v1/emulateTrace`, send it with `/api/v2/sendBoc` or `/api/v3/message`. It has the wallet's next seqno, so only the first message that is sent counts. `init_code` and `init_data` are those of a wallet that sends for the first time.",
  isExtra: true,
  methods: ["POST"],
  args: {
    from: arg("Funded wallet that sends, by its address.", addressArg(), "signedFrom"),
    to: arg("Address of the receiver.", addressArg(), "wallet"),
    amount: arg("Amount in coins.", coinsArg, { value: "1" }),
    comment: arg("A text that goes with the transfer.", optional(textArg({ maxLength: 1_000 }))),
    body: arg("Body of the message instead of a comment, as a bag of cells in base64.", optional(bagArg)),
    bounce: arg("Whether the coins come back when the receiver fails.", withDefault(boolArg, false)),
    valid_seconds: arg(
      "For how many seconds the chain accepts the message.",
      withDefault(intArg({ min: 1, max: day }), 60),
    ),
  },
  result: signed,
  run: ({ signTransfer: sign }, { from, to, amount, comment, body, bounce, valid_seconds: validForSeconds }) =>
    sign({ from: from.address, to: to.address, amount, comment, body, bounce, validForSeconds }),
});
