import { describe, expect, it } from "vitest";
import { mainThreadCpuMs } from "../../kit/attacks/mainThreadCpu.ts";
import {
  emptyChain,
  sharedCurrencies,
  sharedLibraries,
  sharedOrders,
  sharedTransfers,
} from "../../kit/attacks/sharedCells.ts";
import { cellOf } from "../../kit/cell/anyCell.ts";
import { sharedDictionary } from "../../kit/cell/sharedDictionary.ts";
import { beginCell, emptyCell } from "../../src/cell/Builder.ts";
import type { Cell } from "../../src/cell/Cell.ts";
import { loadCell } from "../../src/cell/codec.ts";
import { makePruned } from "../../src/cell/exotic.ts";
import { sliceOf } from "../../src/cell/Slice.ts";
import { decodeBody } from "../../src/contracts/decode.ts";
import { readOrderActions } from "../../src/contracts/families/multisig/orderActions.ts";
import { readMembers } from "../../src/contracts/families/multisig/wallet.ts";
import { readContractMethods } from "../../src/contracts/kit/contractMethods.ts";
import { isCoded } from "../../src/lib/errors.ts";
import { walkShardTree } from "../../src/model/block/ShardHashes.ts";
import { contentTexts, loadContent } from "../../src/model/content/Content.ts";
import { dnsRecordSet, loadDnsRecord } from "../../src/model/content/DnsRecord.ts";
import { loadChunked } from "../../src/model/content/Snake.ts";
import { addExtra, clampMoney, extraCurrencies, findPositiveExtra, subtractExtra } from "../../src/model/Money.ts";
import { countPublicLibraries } from "../../src/model/StateInit.ts";
import { VmStack } from "../../src/model/vm/VmStack.ts";
import { atThisSpeed } from "../kit/attacks/atThisSpeed.ts";

const chunks = beginCell()
  .storeBit(true)
  .storeRef(sharedDictionary(32, beginCell().storeUint(0, 2).storeRef(emptyChain(600)).cell()))
  .cell();

/** On-chain content whose every attribute is in 2³² chunks, each a long chain of empty cells. */
function content(): Cell {
  const value = beginCell().storeUint(1, 8).storeSlice(sliceOf(chunks)).cell();
  const attributes = sharedDictionary(256, beginCell().storeUint(0, 2).storeRef(value).cell());
  return beginCell().storeUint(0, 8).storeBit(true).storeRef(attributes).cell();
}

/** A name with 2²⁵⁶ records of 30 KB. */
function records(): Cell {
  let piece = beginCell().storeUint(0, 8).cell();
  for (let i = 0; i < 253; i++)
    piece = beginCell().storeUint(120, 8).storeBytes(new Uint8Array(120)).storeRef(piece).cell();
  const text = beginCell().storeUint(0x1eda, 16).storeUint(255, 8).storeUint(0, 8).storeRef(piece).cell();
  return sharedDictionary(256, beginCell().storeUint(0, 2).storeRef(text).cell());
}

/** Code with 2¹⁹ methods. */
const code = beginCell()
  .storeUint(0xff00, 16)
  .storeUint(0b1111010010100, 13)
  .storeBit(true)
  .storeUint(19, 10)
  .storeRef(sharedDictionary(19, cellOf("00")))
  .cell();

/** A stack of one tuple with 2³⁰ values in it. */
function stack(): Cell {
  let value = beginCell().storeUint(0, 8).cell();
  for (let i = 0; i < 30; i++)
    value = beginCell().storeUint(7, 8).storeUint(2, 16).storeRef(value).storeRef(value).cell();
  return beginCell().storeUint(1, 24).storeRef(emptyCell).storeSlice(sliceOf(value)).cell();
}

/** An order of 2⁸ messages with one long body. */
function order(): Cell {
  const address = beginCell().storeUint(4, 3).storeInt(0, 8).storeBytes(new Uint8Array(32)).cell();
  const message = beginCell()
    .storeUint(0x18, 6)
    .storeSlice(sliceOf(address))
    .storeCoins(1n)
    .storeBigUint(0n, 106)
    .storeBit(true)
    .storeRef(beginCell().storeUint(65, 40).storeRef(emptyChain(900)).cell())
    .cell();
  const action = beginCell().storeUint(0xf1381e5b, 32).storeUint(1, 8).storeRef(message).cell();
  return sharedDictionary(8, beginCell().storeUint(0, 2).storeRef(action).cell());
}

const money = { coins: 1n, extra: sharedCurrencies };
const member = beginCell().storeUint(0, 2).storeUint(4, 3).storeInt(0, 8).storeBytes(new Uint8Array(32)).cell();

const readers: Readonly<Record<string, () => unknown>> = {
  "the sum of currencies": () => addExtra(sharedCurrencies, sharedCurrencies),
  "the difference of currencies": () => subtractExtra(sharedCurrencies, sharedCurrencies),
  "the lower of two amounts of currencies": () => clampMoney(money, { coins: 1n, extra: undefined }),
  "currencies of which there is something": () => findPositiveExtra(sharedCurrencies, 2),
  "the list of currencies": () => extraCurrencies(sharedCurrencies).entries(),
  "the number of currencies": () => extraCurrencies(sharedCurrencies).count(),
  "the number of public libraries": () => countPublicLibraries(sharedLibraries),
  "text in chunks": () => loadChunked(sliceOf(chunks), 8192),
  "the content of a token": () => {
    const read = loadContent(content());
    return read.kind === "onchain" ? contentTexts(read.attributes) : undefined;
  },
  "the records of a name": () =>
    dnsRecordSet(records())
      .entries()
      .map(([, record]) => loadDnsRecord(record)),
  "the methods of a code": () => readContractMethods(code),
  "the members of a multisig wallet": () => readMembers(sharedDictionary(8, member)),
  "the actions of an order": () => readOrderActions(order()),
  "a list of messages": () => decodeBody(sharedOrders()),
  "transfers in one another": () => decodeBody(sharedTransfers()),
  "a stack": () => loadCell(VmStack, stack()),
  "a tree of shards": () => {
    let tree = makePruned(cellOf("1", [emptyCell]), 1);
    for (let i = 0; i < 60; i++) tree = cellOf("1", [tree, tree]);
    return walkShardTree(tree, () => undefined, true);
  },
};

const pieceMs = 50;

describe("cells that are shared end soon or are refused with a code when they are read as", () => {
  it.each(Object.entries(readers))("%s", (_name, read) => {
    const readOnce = (): number => {
      const before = mainThreadCpuMs();
      try {
        read();
      } catch (error) {
        if (!isCoded(error)) throw error;
      }
      return mainThreadCpuMs() - before;
    };
    // The first calls are compiled; the best of several is what the work itself takes.
    const times = Array.from({ length: 5 }, readOnce);
    expect(Math.min(...times)).toBeLessThan(atThisSpeed(pieceMs));
  });
});
