import { describe, expect, it } from "vitest";
import { type Builder, beginCell } from "../../../../src/cell/Builder.ts";
import { crcForm, writeBoc } from "../../../../src/cell/boc.ts";
import type { Cell } from "../../../../src/cell/Cell.ts";
import { type KnownTokens, listEventAccounts, makeEvents } from "../../../../src/history/ingest/decode/tokenEvents.ts";
import type { Address } from "../../../../src/model/Address.ts";
import { anyAddress } from "../../../../src/model/messageAddress.ts";
import type { TraceTransaction } from "../../../../src/model/Trace.ts";
import { accountNamed, message, named, transaction } from "../../../kit/history/traceBlocks.ts";

const [sender, wallet, item, receiver, master, collection] = [
  "sender",
  "wallet",
  "item",
  "receiver",
  "master",
  "collection",
].map(accountNamed) as [Address, Address, Address, Address, Address, Address];

const known: KnownTokens = {
  findJettonWallet: (address) => (address === wallet ? { jetton: master } : undefined),
  findNftItem: (address) => (address === item ? { index: 7n, collection } : undefined),
};

const payload = beginCell().storeUint(5, 8).cell();

function begin(opcode: number, queryId = 9n): Builder {
  return beginCell().storeUint(opcode, 32).storeBigUint(queryId, 64);
}

function withAddress(builder: Builder, address: Address | undefined): Builder {
  anyAddress.store(builder, address);
  return builder;
}

function received(account: Address, body: Cell, parts: Partial<TraceTransaction> = {}) {
  const inMessage = { ...message("in", sender, account), body };
  return { ...transaction({ name: "t", account, lt: 50n, mcSeqno: 3, received: inMessage }), ...parts };
}

const traceIds = new Map([[named("t"), named("trace")]]);
const place = { txHash: named("t"), txLt: 50n, txNow: 1050, txAborted: false, mcSeqno: 3, traceId: named("trace") };
const nothing = { jettonTransfers: [], jettonBurns: [], nftTransfers: [] };

const jettonTransfer = withAddress(withAddress(begin(0x0f8a7ea5).storeCoins(1000n), receiver), undefined)
  .storeBit(true)
  .storeRef(payload)
  .storeCoins(3n)
  .storeBit(true)
  .storeRef(payload)
  .cell();
const jettonBurn = withAddress(begin(0x595f07bc).storeCoins(4n), receiver).storeBit(false).storeUint(3, 2).cell();
const nftTransfer = withAddress(withAddress(begin(0x5fcc3d14), receiver), sender)
  .storeBit(false)
  .storeCoins(1n)
  .storeBit(false)
  .storeUint(1, 32)
  .cell();

describe("events of tokens", () => {
  it("are transfers to a known wallet", () => {
    expect(makeEvents([received(wallet, jettonTransfer)], traceIds, known)).toEqual({
      ...nothing,
      jettonTransfers: [
        {
          ...place,
          queryId: 9n,
          amount: 1000n,
          source: sender,
          destination: receiver,
          sourceWallet: wallet,
          jettonMaster: master,
          responseDestination: undefined,
          customPayload: writeBoc(payload, crcForm),
          forwardTonAmount: 3n,
          forwardPayload: writeBoc(payload, crcForm),
        },
      ],
    });
  });

  it("are burns, whatever follows them, including failed ones", () => {
    expect(makeEvents([received(wallet, jettonBurn, { aborted: true })], traceIds, known)).toEqual({
      ...nothing,
      jettonBurns: [
        {
          ...place,
          txAborted: true,
          queryId: 9n,
          amount: 4n,
          owner: sender,
          jettonWallet: wallet,
          jettonMaster: master,
          responseDestination: receiver,
          customPayload: undefined,
        },
      ],
    });
  });

  it("are transfers of items; an inline payload is left out", () => {
    expect(makeEvents([received(item, nftTransfer)], traceIds, known)).toEqual({
      ...nothing,
      nftTransfers: [
        {
          ...place,
          queryId: 9n,
          nftItem: item,
          nftItemIndex: 7n,
          nftCollection: collection,
          oldOwner: sender,
          newOwner: receiver,
          responseDestination: sender,
          customPayload: undefined,
          forwardAmount: 1n,
          forwardPayload: undefined,
        },
      ],
    });
  });

  it("are none for other accounts, external messages, and truncated bodies", () => {
    const others = [
      received(receiver, jettonTransfer),
      received(item, jettonTransfer),
      received(wallet, nftTransfer),
      { ...received(wallet, jettonTransfer), inMessage: { ...message("in", undefined, wallet), body: jettonTransfer } },
      received(wallet, begin(0x0f8a7ea5).storeCoins(1n).cell()),
      received(wallet, beginCell().storeUint(0x0f8a, 16).cell()),
      transaction({ name: "tick", account: wallet, lt: 1n, mcSeqno: 1 }),
    ];
    expect(makeEvents(others, traceIds, known)).toEqual(nothing);
  });

  it("are searched at accounts that received such a message", () => {
    const external = {
      ...received(item, nftTransfer),
      inMessage: { ...message("in", undefined, item), body: nftTransfer },
    };
    const list = [
      received(wallet, jettonBurn),
      received(wallet, jettonTransfer),
      received(receiver, payload),
      external,
    ];
    expect(listEventAccounts(list)).toEqual([wallet]);
  });
});
