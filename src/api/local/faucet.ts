import { optional } from "../../lib/kit/arg.ts";
import { int, nullable, text } from "../../lib/kit/shape.ts";
import type { Address } from "../../model/Address.ts";
import { formatCoins } from "../../model/coins.ts";
import type { Hash } from "../../model/Hash.ts";
import { arg } from "../declare/argument.ts";
import { endpointsOver } from "../declare/endpoint.ts";
import { addressArg } from "../v2/args.ts";
import { hash64, rawLower } from "../v2/shapes/scalars.ts";
import { typed } from "../v2/shapes/typed.ts";
import { coinsArg } from "./args.ts";
import type { LocalServices } from "./LocalServices.ts";
import { seenWithin, status } from "./postedControl.ts";

const usualAmount = 100_000_000_000n;

interface Gift {
  readonly address: Address;
  readonly amount: bigint;
  readonly messageHash: Hash;
  /** The masterchain block by which the giver has sent the coins; none while that is to come. */
  readonly masterSeqno: number | undefined;
}

const gift = typed<Gift>()("localnet.gift", {
  address: rawLower("Address of the receiver, in raw form.", (gift) => gift.address),
  amount: text("Amount in coins.", (gift) => formatCoins(gift.amount)),
  message_hash: hash64(
    "Hash of the external message that makes the giver send, in base64.",
    (gift) => gift.messageHash,
  ),
  status: status(
    "`sent` if the giver's transaction is in a block, `pending` while its message waits for one.",
    (gift) => gift.masterSeqno,
  ),
  mc_seqno: nullable(int)(
    "Seqno of the masterchain block by which the giver has sent the coins; null while it is pending.",
    (gift) => gift.masterSeqno,
  ),
});

/** Gives coins to anybody. */
export const faucet = endpointsOver<LocalServices>()({
  name: "faucet",
  tag: "localnet",
  summary: "Gives coins of the local network to an account.",
  description:
    '`amount` is in coins, such as 5 or "0.25", as in the command and on the page; 100 by default. The faucet wallet sends a real transfer: `message_hash` is the hash of its external message, which several gifts may share.',
  isExtra: true,
  methods: ["POST"],
  args: {
    address: arg("Address of the receiver.", addressArg(), "wallet"),
    amount: arg("Amount in coins; 100 when left out.", optional(coinsArg), { value: "1" }),
  },
  result: gift,
  run: async ({ faucet: giver, clock }, { address: { address }, amount = usualAmount }, { signal }) => {
    const posted = await giver.post(address, amount, signal);
    const sent = posted.sent.then(({ masterSeqno }) => masterSeqno);
    const masterSeqno = await seenWithin(sent, clock);
    return { address, amount, messageHash: posted.messageHash, masterSeqno };
  },
});
