import { Type } from "typebox";
import type { Cell } from "../../../cell/Cell.ts";
import { field, objectSchema } from "../../../lib/kit/shape.ts";
import { type Address, type ExternalAddress, type InternalAddress, plainAddress } from "../../../model/Address.ts";
import { hashToBase64 } from "../../../model/Hash.ts";
import type { InCell, Message } from "../../../model/Message.ts";
import type { AccountStatus, Transaction } from "../../../model/Transaction.ts";
import { encodeBag } from "../../declare/encodeBag.ts";
import { friendly } from "../../v2/shapes/ids.ts";
import { describeOperation } from "./operation.ts";
import { readForWallet } from "./walletView.ts";

/** A transaction and the account it belongs to. */
export interface OwnTransaction {
  readonly address: Address;
  readonly transaction: InCell<Transaction>;
}

const bag = (cell: Cell) => encodeBag(cell);
const maybeBag = (cell: Cell | undefined) => (cell === undefined ? null : bag(cell));
const show = (address: InternalAddress) => friendly.encode(plainAddress(address));

const statusWords: Readonly<Record<AccountStatus, string>> = {
  uninit: "uninitialized",
  frozen: "frozen",
  active: "active",
  nonexist: "non-existing",
};

function external(address: ExternalAddress | undefined): object | null {
  return address === undefined ? null : { bits: address.bits, data: address.value };
}

function messageInfo({ info }: Message): object {
  switch (info.kind) {
    case "internal":
      return {
        type: "internal",
        value: info.value.coins.toString(),
        dest: show(info.dest),
        src: show(info.src),
        bounced: info.bounced,
        bounce: info.bounce,
        ihrDisabled: info.ihrDisabled,
        createdAt: info.createdAt,
        createdLt: info.createdLt.toString(),
        fwdFee: info.fwdFee.toString(),
        // Before global version 12 the fee was in the place of the flags.
        ihrFee: info.extraFlags.toString(),
      };
    case "externalIn":
      return {
        type: "external-in",
        dest: show(info.dest),
        src: external(info.src),
        importFee: info.importFee.toString(),
      };
    case "externalOut":
      return { type: "external-out", dest: external(info.dest) };
  }
}

/** Clients require all four fields of a state init. */
function stateInit({ init }: Message): object | null {
  if (init === undefined) return null;
  return {
    splitDepth: init.fixedPrefixLength ?? null,
    code: maybeBag(init.code),
    data: maybeBag(init.data),
    special: init.special ?? null,
  };
}

function message(each: Message): object {
  return { body: bag(each.body), info: messageInfo(each), init: stateInit(each) };
}

function encode({ address, transaction }: OwnTransaction): object {
  const { in: received, out } = transaction.messages;
  const { oldHash, newHash } = transaction.stateUpdate;
  const view = readForWallet(address, transaction);
  return {
    address: friendly.encode(address),
    lt: transaction.lt.toString(),
    hash: hashToBase64(transaction.cell.hash()),
    // A number in base 16.
    prevTransaction: { lt: transaction.prevLt.toString(), hash: BigInt(`0x${transaction.prevHash}`).toString(16) },
    time: transaction.now,
    outMessagesCount: transaction.outCount,
    oldStatus: statusWords[transaction.origStatus],
    newStatus: statusWords[transaction.endStatus],
    fees: transaction.totalFees.coins.toString(),
    update: { oldHash: hashToBase64(oldHash), newHash: hashToBase64(newHash) },
    inMessage: received === undefined ? null : message(received),
    outMessages: out.values().map(message),
    parsed: {
      seqno: view.seqno ?? null,
      body: view.body ?? null,
      status: view.status,
      dest: view.dest === undefined ? null : friendly.encode(view.dest),
      kind: view.kind,
      amount: view.amount.toString(),
      resolvedAddress: friendly.encode(view.resolved),
      bounced: view.isBounced,
      mentioned: view.mentioned.map((each) => friendly.encode(each)),
    },
    operation: describeOperation(address, view),
  };
}

const parsedSchema = {
  ...objectSchema({
    address: ["User-friendly address of the account.", friendly.schema],
    lt: ["Logical time of the transaction.", Type.String()],
    hash: ["Hash of the transaction, in base64.", Type.String()],
    time: ["Time of the transaction, in Unix seconds.", Type.Integer()],
  }),
  additionalProperties: true,
  description: "A transaction, its messages, and what it means to a wallet.",
};

/** A transaction as a wallet sees it. */
export const parsedTransaction = field({ schema: parsedSchema, encode });
