import { beginCell, emptyCell } from "../../../src/cell/Builder.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import { storeCell } from "../../../src/cell/codec.ts";
import { makeDictionary } from "../../../src/cell/dictionary.ts";
import { hashKey } from "../../../src/cell/keys.ts";
import { fromHex } from "../../../src/lib/bytes.ts";
import type { Transfer } from "../../../src/localnet/wallets/transfer.ts";
import { makeAddress } from "../../../src/model/Address.ts";
import { SimpleLibrary, StateInit } from "../../../src/model/StateInit.ts";

/** The coins that the contract gets: enough for some hundred thousand messages and their fees. */
const amount = 200_000_000_000_000n;

/**
 * The transfer that deploys a contract which answers every message with `fanOut` messages to itself, each with 0.13
 * coins: once begun it never ends. `number` makes contracts different.
 */
export function deploySelfCalling(fanOut: number, number = 0): Transfer {
  const data = beginCell().storeUint(number, 32).cell();
  const libraries = makeDictionary(hashKey, SimpleLibrary, []);
  const init = { fixedPrefixLength: undefined, special: undefined, code: makeCode(fanOut), data, libraries };
  const to = makeAddress(0, storeCell(StateInit, init).hash());
  return { to, amount, init, body: emptyCell };
}

function makeCode(fanOut: number): Cell {
  const count = fanOut.toString(16).padStart(4, "0");
  const code = [
    "f800", // ACCEPT
    "8010c8cb05", // 16 PUSHINT, NEWC, 6 STU: an internal message that does not bounce
    "f828cf16", // MYADDR, STSLICER
    "831afa02", // 26 PUSHPOW2, STGRAMS
    "7001cb6a", // 0 PUSHINT, SWAP, 107 STU: nothing else
    "c9", // ENDC
    `81${count}942071fb00e4`, // PUSHINT, PUSHCONT of DUP, 1 PUSHINT, SENDRAWMSG; REPEAT
  ];
  const bytes = fromHex(code.join(""));
  return beginCell().storeBytes(bytes).cell();
}
