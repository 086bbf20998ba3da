import { join } from "node:path";
import { readBytes } from "../../../kit/suite/corpus.ts";
import { beginCell, emptyCell } from "../../../src/cell/Builder.ts";
import { readRoot } from "../../../src/cell/boc.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import { loadCell, storeCell } from "../../../src/cell/codec.ts";
import { makeDictionary } from "../../../src/cell/dictionary.ts";
import { hashKey, uintKey } from "../../../src/cell/keys.ts";
import { makeLinked } from "../../../src/cell/linked.ts";
import { fromHex } from "../../../src/lib/bytes.ts";
import { Account, type ShardAccount } from "../../../src/model/Account.ts";
import { type Address, makeAddress } from "../../../src/model/Address.ts";
import { ShardStateUnsplit } from "../../../src/model/block/ShardState.ts";
import { coinsOnly } from "../../../src/model/Currency.ts";
import type { ConfigParams } from "../../../src/model/config/ConfigParams.ts";
import { ValidatorDescr, type ValidatorSet } from "../../../src/model/config/ValidatorSet.ts";
import { parseHash, zeroHash } from "../../../src/model/Hash.ts";
import { Message, RelaxedMessage } from "../../../src/model/Message.ts";
import { SimpleLibrary } from "../../../src/model/StateInit.ts";
import type { GetMethodRun } from "../../../src/tvm/Executor.ts";
import { setConfigParam } from "../model/codecs/configParams.ts";

const fixtures = join(import.meta.dirname, "../../fixtures/realnet");

/** The initial configuration of a small network: global version 13, one validator. */
export function readSmallConfig(): ConfigParams {
  const { custom } = loadCell(ShardStateUnsplit, readRoot(readBytes(fixtures, "zerostate.boc.gz")));
  if (custom === undefined) throw new Error("no masterchain state");
  return custom.load().config;
}

/** The same with validator sets as large as on mainnet. */
export function makeLargeConfig(): ConfigParams {
  return setConfigParam(setConfigParam(readSmallConfig(), 32, manyValidators(400)), 34, manyValidators(401));
}

function manyValidators(count: number): ValidatorSet {
  const entries = Array.from({ length: count }, (_, index): [number, ValidatorDescr] => {
    const publicKey = parseHash(index.toString(16).padStart(64, "0"));
    return [index, { kind: "plain", publicKey, weight: 1n }];
  });
  const list = makeDictionary(uintKey(16), ValidatorDescr, entries);
  return { kind: "extended", sinceAt: 1, untilAt: 2, total: count, main: 100, totalWeight: BigInt(count), list };
}

/** Code from hex digits, with references. */
export function makeCode(hex: string, ...refs: readonly Cell[]): Cell {
  const builder = beginCell().storeBytes(fromHex(hex));
  for (const ref of refs) builder.storeRef(ref);
  return builder.cell();
}

/** Drops the method id; every get-method of these tests starts with it. */
export const drop = "30";

export const testAddress = makeAddress(0, "ab".repeat(32));
export const testNow = 1_800_000_000;

/** A get-method that consists of this code. */
export function makeGetMethodRun(code: Cell, given: Partial<GetMethodRun> = {}): GetMethodRun {
  return {
    config: readSmallConfig(),
    now: testNow,
    randomSeed: zeroHash,
    address: testAddress,
    code,
    data: emptyCell,
    balance: coinsOnly(1_000_000_000n),
    method: 0,
    stack: [],
    gasLimit: 1_000_000n,
    ...given,
  };
}

/** An account with this code and a balance of a hundred coins. */
export function makeActiveAccount(address: Address, code: Cell, data = emptyCell): ShardAccount {
  const libraries = makeDictionary(hashKey, SimpleLibrary, []);
  const init = { fixedPrefixLength: undefined, special: undefined, code, data, libraries };
  const account = makeLinked(Account, {
    kind: "account",
    address,
    storageInfo: { used: { cells: 3, bits: 1_000 }, extra: { kind: "none" }, lastPaid: testNow, duePayment: undefined },
    storage: { lastTransactionLt: 0n, balance: coinsOnly(100_000_000_000n), state: { kind: "active", init } },
  });
  return { account, lastTransactionHash: zeroHash, lastTransactionLt: 0n };
}

/** Code that accepts every message and sends 0.1 coins to each destination. */
export function makeSendingCode(...destinations: readonly Address[]): Cell {
  const messages = destinations.map((dest) => storeCell(RelaxedMessage, sentMessage(dest)));
  // ACCEPT, then for each: PUSHREF, 1 PUSHINT, SENDRAWMSG
  return makeCode(`f800${"8871fb00".repeat(messages.length)}`, ...messages);
}

/** Code that sends 0.1 coins once for each mode. */
export function makeModesCode(dest: Address, ...modes: readonly number[]): Cell {
  const message = storeCell(RelaxedMessage, sentMessage(dest));
  // For each: PUSHREF, PUSHINT, SENDRAWMSG
  const hex = modes.map((mode) => `8881${mode.toString(16).padStart(4, "0")}fb00`);
  return makeCode(hex.join(""), ...modes.map(() => message));
}

/** A message of 0.1 coins as code sends it. */
export function sentMessage(
  dest: Address,
  { body, bodyPlace }: Pick<RelaxedMessage, "body" | "bodyPlace"> = { body: emptyCell, bodyPlace: "inline" },
): RelaxedMessage {
  return {
    info: {
      kind: "internal",
      ihrDisabled: true,
      bounce: false,
      bounced: false,
      src: undefined,
      dest,
      value: coinsOnly(100_000_000n),
      extraFlags: 0n,
      fwdFee: 0n,
      createdLt: 0n,
      createdAt: 0,
    },
    init: undefined,
    body,
    initPlace: "inline",
    bodyPlace,
  };
}

/** An external message, by default with an empty body. */
export function makeExternalMessage(dest: Address, body = emptyCell): Cell {
  return storeCell(Message, {
    info: { kind: "externalIn", src: undefined, dest, importFee: 0n },
    init: undefined,
    body,
    initPlace: "inline",
    bodyPlace: "inline",
  });
}
