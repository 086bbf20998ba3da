import { setTimeout } from "node:timers/promises";
import { beginCell, emptyCell } from "../../src/cell/Builder.ts";
import { writeBoc } from "../../src/cell/boc.ts";
import type { Cell } from "../../src/cell/Cell.ts";
import { storeCell } from "../../src/cell/codec.ts";
import { makeDictionary } from "../../src/cell/dictionary.ts";
import { hashKey } from "../../src/cell/keys.ts";
import { fromHex } from "../../src/lib/bytes.ts";
import { makeExternal, type Transfer } from "../../src/localnet/wallets/transfer.ts";
import { makeAddress } from "../../src/model/Address.ts";
import { SimpleLibrary, StateInit } from "../../src/model/StateInit.ts";

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

/** Gives the contract its coins by the faucet of a local network and begins it with an external message. */
export async function beginSelfCalling(origin: string, fanOut: number): Promise<void> {
  const { to, init } = deploySelfCalling(fanOut);
  await post(`${origin}/localnet/faucet`, { address: to, amount: "200000" });
  await waitForCoins(origin, to);
  const boc = Buffer.from(writeBoc(makeExternal(to, emptyCell, init))).toString("base64");
  await post(`${origin}/api/v2/sendBoc`, { boc });
}

/** Resolves when an account has coins. */
export async function waitForCoins(origin: string, address: string): Promise<void> {
  const path = `${origin}/api/v2/getAddressBalance?address=${encodeURIComponent(address)}`;
  while (Object(await (await fetch(path)).json()).result === "0") await setTimeout(100);
}

export async function post(url: string, body: unknown): Promise<void> {
  const answer = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (answer.status !== 200) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
}
