import { type Builder, beginCell, emptyCell } from "../../cell/Builder.ts";
import type { Cell } from "../../cell/Cell.ts";
import { storeCell } from "../../cell/codec.ts";
import type { Address } from "../../model/Address.ts";
import { coinsOnly } from "../../model/Currency.ts";
import { hashToBytes } from "../../model/Hash.ts";
import { Message, RelaxedMessage } from "../../model/Message.ts";
import type { StateInit } from "../../model/StateInit.ts";
import { LocalnetError } from "../errors.ts";
import { highloadTimeout, type Wallet, type WalletVersion } from "./Wallet.ts";

/** One message for a wallet to send. */
export interface Transfer {
  readonly to: Address;
  readonly amount: bigint;
  /** Whether coins bounce when the receiver fails; by default they do not. */
  readonly bounce?: boolean;
  readonly body?: Cell;
  /** Code and data for a receiver without code. */
  readonly init?: StateInit;
}

export interface SignOptions {
  /** The wallet's seqno; for highload wallets the query id. */
  readonly seqno: number;
  readonly now: number;
  /** A minute by default. */
  readonly validForSeconds?: number;
  /** Includes the wallet's own code, for the first message of a wallet. */
  readonly deploy?: boolean;
}

/** How many messages a version can send at once. */
export const maxTransfers: Readonly<Record<WalletVersion, number>> = {
  v2r2: 4,
  v3r1: 4,
  v3r2: 4,
  v4r2: 4,
  v5r1: 255,
  highloadV3: 1,
};

// The wallet pays the fees, and a message that cannot be sent does not stop the others.
const sendMode = 3;

/** The external message with which the owner of a wallet sends these. */
export function signTransfers(wallet: Wallet, transfers: readonly Transfer[], options: SignOptions): Cell {
  if (transfers.length > maxTransfers[wallet.version])
    throw new LocalnetError("localnet/wallet", `${transfers.length} transfers at once from a ${wallet.version} wallet`);
  return makeExternal(wallet.address, signedBody(wallet, transfers, options), options.deploy ? wallet.init : undefined);
}

/** An external message. */
export function makeExternal(dest: Address, body: Cell, init?: StateInit): Cell {
  const info = { kind: "externalIn" as const, src: undefined, dest, importFee: 0n };
  return storeCell(Message, { info, init, body, initPlace: "ref", bodyPlace: "ref" });
}

function signedBody(wallet: Wallet, transfers: readonly Transfer[], options: SignOptions): Cell {
  const { seqno, now, validForSeconds = 60 } = options;
  const until = now + validForSeconds;
  const { walletId } = wallet;
  switch (wallet.version) {
    case "v2r2":
      return signFirst(wallet, listed(beginCell().storeUint(seqno, 32).storeUint(until, 32), transfers));
    case "v3r1":
    case "v3r2":
      return signFirst(wallet, listed(head(walletId, until, seqno), transfers));
    case "v4r2":
      return signFirst(wallet, listed(head(walletId, until, seqno).storeUint(0, 8), transfers));
    case "v5r1":
      return signLast(wallet, signedV5(walletId, until, seqno, transfers));
    case "highloadV3":
      return signHighload(wallet, transfers, seqno, now);
  }
}

function head(walletId: number, until: number, seqno: number): Builder {
  return beginCell().storeUint(walletId, 32).storeUint(until, 32).storeUint(seqno, 32);
}

function listed(builder: Builder, transfers: readonly Transfer[]): Builder {
  for (const transfer of transfers) builder.storeUint(sendMode, 8).storeRef(makeInternal(transfer));
  return builder;
}

// signed_external#7369676e wallet_id:# valid_until:# seqno:# out_actions:(Maybe ^OutList) has_other:Bool
// signature:bits512
function signedV5(walletId: number, until: number, seqno: number, transfers: readonly Transfer[]): Builder {
  const builder = beginCell().storeUint(0x7369676e, 32).storeUint(walletId, 32).storeUint(until, 32);
  let actions = emptyCell;
  // action_send_msg#0ec3c86d mode:(## 8) out_msg:^(MessageRelaxed Any)
  for (const transfer of transfers) {
    actions = beginCell()
      .storeRef(actions)
      .storeUint(0x0ec3c86d, 32)
      .storeUint(sendMode, 8)
      .storeRef(makeInternal(transfer))
      .cell();
  }
  return builder
    .storeUint(seqno, 32)
    .storeMaybeRef(transfers.length === 0 ? undefined : actions)
    .storeBit(false);
}

const bitsOfShift = 1_023;
/** The possible difference between the sender's clock and the chain's. */
const clockSkew = 5;

// subwallet_id:# message:^ mode:uint8 shift:uint13 bit_number:uint10 created_at:uint64 timeout:uint22
function signHighload(wallet: Wallet, transfers: readonly Transfer[], query: number, now: number): Cell {
  const [transfer] = transfers;
  if (transfer === undefined)
    throw new LocalnetError("localnet/wallet", "a highload wallet sends at least one message");
  const message = beginCell()
    .storeUint(wallet.walletId, 32)
    .storeRef(makeInternal(transfer))
    .storeUint(sendMode, 8)
    .storeUint(Math.floor(query / bitsOfShift), 13)
    .storeUint(query % bitsOfShift, 10)
    .storeBigUint(BigInt(now - clockSkew), 64)
    .storeUint(highloadTimeout, 22)
    .cell();
  return beginCell().storeBytes(signatureOf(wallet, message)).storeRef(message).cell();
}

function signFirst(wallet: Wallet, content: Builder): Cell {
  return beginCell().storeBytes(signatureOf(wallet, content.cell())).storeBuilder(content).cell();
}

function signLast(wallet: Wallet, content: Builder): Cell {
  const signature = signatureOf(wallet, content.cell());
  return content.storeBytes(signature).cell();
}

function signatureOf({ key }: Wallet, content: Cell): Uint8Array {
  return key.sign(hashToBytes(content.hash()));
}

/** The message that a wallet sends; fields that the network fills in are empty. */
export function makeInternal({ to, amount, bounce = false, body = emptyCell, init }: Transfer): Cell {
  return storeCell(RelaxedMessage, {
    info: {
      kind: "internal",
      ihrDisabled: true,
      bounce,
      bounced: false,
      src: undefined,
      dest: to,
      value: coinsOnly(amount),
      extraFlags: 0n,
      fwdFee: 0n,
      createdLt: 0n,
      createdAt: 0,
    },
    init,
    body,
    initPlace: "ref",
    bodyPlace: body.bitLength === 0 && body.refCount === 0 ? "inline" : "ref",
  });
}

/** A text that wallets show beside a transfer. */
export function makeComment(text: string): Cell {
  return beginCell().storeUint(0, 32).storeBytes(new TextEncoder().encode(text)).cell();
}
