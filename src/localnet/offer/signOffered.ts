import type { Cell } from "../../cell/Cell.ts";
import { loadCell } from "../../cell/codec.ts";
import type { Address } from "../../model/Address.ts";
import { formatCoins } from "../../model/coins.ts";
import { Message } from "../../model/Message.ts";
import { LocalnetError } from "../errors.ts";
import type { Localnet } from "../network/Localnet.ts";
import { makeComment, signTransfers } from "../wallets/transfer.ts";
import type { Wallet } from "../wallets/Wallet.ts";
import { findSeqno } from "../wallets/Wallet.ts";

/** A transfer that somebody wants from one of the funded wallets. */
export interface TransferRequest {
  readonly from: Address;
  readonly to: Address;
  readonly amount: bigint;
  readonly comment: string | undefined;
  /** Instead of a comment. */
  readonly body: Cell | undefined;
  readonly bounce: boolean;
  readonly validForSeconds: number;
}

/** A message that is signed and not sent. */
export interface SignedTransfer {
  readonly from: Address;
  readonly message: Cell;
  /** Its body alone, and the code and data of a wallet that is not deployed yet. */
  readonly body: Cell;
  readonly init: { readonly code: Cell; readonly data: Cell } | undefined;
  readonly validUntil: number;
}

/** The number of highload messages: any that was not used lately. */
const queries = 1 << 22;

/** Signs a transfer of a funded wallet with its next seqno; whoever sends it first uses it up. */
export function signOffered(
  net: Pick<Localnet, "account" | "clock" | "keys">,
  wanted: TransferRequest,
): SignedTransfer {
  const { from, to, amount, comment, body: given, bounce, validForSeconds } = wanted;
  const wallet = net.keys.wallets.map((each) => each.wallet).find(({ address }) => address === from);
  if (wallet === undefined)
    throw new LocalnetError("localnet/wallet", `${from} is not a funded wallet of this network`);
  if (amount <= 0n) throw new LocalnetError("localnet/amount", `a transfer of ${formatCoins(amount)} coins`);
  const account = net.account(from);
  const seqno = findSeqno(wallet.version, account);
  const deploy = isNew(account);
  const now = net.clock.seconds;
  const sent = given ?? (comment === undefined ? undefined : makeComment(comment));
  const transfer = { to, amount, bounce, ...(sent === undefined ? {} : { body: sent }) };
  const message = signTransfers(wallet, [transfer], {
    ...{ now, validForSeconds, deploy },
    seqno: wallet.version === "highloadV3" ? net.clock.seconds % queries : (seqno ?? 0),
  });
  const { body } = loadCell(Message, message);
  return { from, message, body, init: deploy ? initOf(wallet) : undefined, validUntil: now + validForSeconds };
}

function isNew({ account }: ReturnType<Localnet["account"]>): boolean {
  const loaded = account.load();
  return loaded.kind !== "account" || loaded.storage.state.kind !== "active";
}

function initOf({ init: { code, data } }: Wallet): SignedTransfer["init"] {
  return code === undefined || data === undefined ? undefined : { code, data };
}
