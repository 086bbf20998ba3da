import { type Builder, beginCell, emptyCell } from "../../cell/Builder.ts";
import type { Cell } from "../../cell/Cell.ts";
import { storeCell } from "../../cell/codec.ts";
import type { PlainWallet } from "../../contracts/families/wallet/PlainWallet.ts";
import type { Address } from "../../model/Address.ts";
import { coinsOnly } from "../../model/Currency.ts";
import { RelaxedMessage } from "../../model/Message.ts";
import type { StateInit } from "../../model/StateInit.ts";
import { type AccountNow, findCode } from "../accounts.ts";
import { ChainError } from "../errors.ts";
import { makeExternalMessage } from "../message.ts";
import { findWallet } from "../wallets.ts";

/** One message for a wallet to send. */
export interface WalletOrder {
  readonly to: Address;
  readonly bounce: boolean;
  readonly amount: bigint;
  readonly body: Cell | undefined;
  readonly init: StateInit | undefined;
}

/** The wallet pays the fees, and a message that cannot be sent does not stop the others. */
const sendMode = 3;
const noSignature = new Uint8Array(64);

/** The unsigned external message that makes a wallet send these. */
export function makeWalletMessage(wallet: AccountNow, orders: readonly WalletOrder[], until: number): Cell {
  if (findCode(wallet) === undefined) throw new ChainError("chain/no-wallet", "Account state no code or no data");
  const data = findWallet(wallet);
  if (data === undefined) throw new ChainError("chain/no-wallet", "Account is not a known wallet");
  return makeExternalMessage({ address: wallet.address, body: makeBody(data, orders, until), init: undefined });
}

function makeBody(wallet: PlainWallet, orders: readonly WalletOrder[], until: number): Cell {
  const version = wallet.type.replace(/^wallet /, "");
  const seqno = wallet.seqno >>> 0;
  const head = () => beginCell().storeBytes(noSignature);
  const numbered = () =>
    head()
      .storeUint((wallet.walletId ?? 0) >>> 0, 32)
      .storeUint(until, 32)
      .storeUint(seqno, 32);
  switch (version.slice(0, 2)) {
    case "v1":
      if (orders.length > 1) throw new ChainError("chain/no-wallet", `a ${wallet.type} sends one message at a time`);
      return listed(head().storeUint(seqno, 32), orders);
    case "v2":
      return listed(head().storeUint(seqno, 32).storeUint(until, 32), orders);
    case "v3":
      return listed(numbered(), orders);
    case "v4":
      return listed(numbered().storeUint(0, 8), orders);
    default:
      if (version !== "v5 r1") throw new ChainError("chain/no-wallet", `Unsupported wallet type: ${wallet.type}`);
      return signedExternal(wallet.walletId ?? 0, until, seqno, orders);
  }
}

function listed(builder: Builder, orders: readonly WalletOrder[]): Cell {
  for (const order of orders) builder.storeUint(sendMode, 8).storeRef(makeInternal(order));
  return builder.cell();
}

// signed_external#7369676e wallet_id:# valid_until:# seqno:# out_actions:(Maybe ^OutList) has_other:Bool
// signature:bits512 action_send_msg#0ec3c86d mode:(## 8) out_msg:^(MessageRelaxed Any)
function signedExternal(walletId: number, until: number, seqno: number, orders: readonly WalletOrder[]): Cell {
  const actions = orders.reduce(
    (list, order) =>
      beginCell().storeRef(list).storeUint(0x0ec3c86d, 32).storeUint(sendMode, 8).storeRef(makeInternal(order)).cell(),
    emptyCell,
  );
  const head = beginCell()
    .storeUint(0x7369676e, 32)
    .storeUint(walletId >>> 0, 32)
    .storeUint(until, 32);
  return head.storeUint(seqno, 32).storeMaybeRef(actions).storeBit(false).storeBytes(noSignature).cell();
}

/** Fields that the network fills in are empty. */
export function makeInternal({ to, bounce, amount, body, init }: WalletOrder, src?: Address): Cell {
  return storeCell(RelaxedMessage, {
    info: {
      ...{ kind: "internal", ihrDisabled: true, bounce, bounced: false, src, dest: to, value: coinsOnly(amount) },
      ...{ extraFlags: 0n, fwdFee: 0n, createdLt: 0n, createdAt: 0 },
    },
    init,
    initPlace: "ref",
    body: body ?? emptyCell,
    bodyPlace: body === undefined ? "inline" : "ref",
  });
}
