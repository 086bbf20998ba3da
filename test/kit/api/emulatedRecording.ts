import { asRecord, asText } from "../../../kit/suite/record.ts";
import { cellOf } from "../../../kit/tvm/tvmRecords.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import { storeCell, type ValueOf } from "../../../src/cell/codec.ts";
import { Dictionary } from "../../../src/cell/dictionary.ts";
import { hashKey } from "../../../src/cell/keys.ts";
import { makeLinked } from "../../../src/cell/linked.ts";
import { runAtOnce } from "../../../src/lib/sharing/steps.ts";
import { Account, AccountStorage, type ShardAccount, type StorageExtra } from "../../../src/model/Account.ts";
import { type Address, parseAddress } from "../../../src/model/Address.ts";
import { CellCounter } from "../../../src/model/CellCounter.ts";
import { coinsOnly } from "../../../src/model/Currency.ts";
import { parseHash } from "../../../src/model/Hash.ts";
import { Message } from "../../../src/model/Message.ts";
import { SimpleLibrary } from "../../../src/model/StateInit.ts";

type Json = Readonly<Record<string, unknown>>;

export interface EmulatedRecording {
  readonly answer: Json;
  readonly root: Json;
  /** Sorted by lt. */
  readonly transactions: readonly Json[];
}

export function readRecording(answer: Json): EmulatedRecording {
  const byHash = asRecord(answer.transactions);
  const transactions = Object.values(byHash)
    .map(asRecord)
    .toSorted((a, b) => (BigInt(asText(a.lt)) < BigInt(asText(b.lt)) ? -1 : 1));
  return { answer, transactions, root: asRecord(byHash[asText(asRecord(answer.trace).tx_hash)]) };
}

/** Rebuilds the message that started the trace. Its hash decides whether the body is inline or in a reference. */
export function rebuildMessage({ root }: EmulatedRecording): Cell {
  const given = asRecord(root.in_msg);
  const dest = parseAddress(asText(given.destination)).address;
  const info = { kind: "externalIn" as const, src: undefined, dest, importFee: BigInt(asText(given.import_fee)) };
  const body = cellOf(asRecord(given.message_content).body);
  const made = (["ref", "inline"] as const).map((bodyPlace) =>
    storeCell(Message, { info, init: undefined, body, initPlace: "ref", bodyPlace }),
  );
  const found = made.find((cell) => cell.hash() === parseHash(asText(given.hash)));
  if (found === undefined) throw new Error("the message cannot be rebuilt");
  return found;
}

/** Accounts before the run, by address; an account that did not exist is absent. */
export function rebuildAccounts(recording: EmulatedRecording): ReadonlyMap<Address, ShardAccount> {
  const accounts = new Map<Address, ShardAccount>();
  const seen = new Set<string>();
  for (const transaction of recording.transactions) {
    const name = asText(transaction.account);
    if (seen.has(name)) continue;
    seen.add(name);
    const { address } = parseAddress(name);
    const account = rebuildAccount(address, transaction, recording.answer);
    if (account !== undefined) accounts.set(address, account);
  }
  return accounts;
}

/** Above this number of cells, an account stores the hash of the dictionary of its cells. */
const maxCellsWithoutDict = 26;
/** Upper bound for the messages that the previous transaction sent; they determine its end lt. */
const maxMessages = 255;
/** Basechain storage prices per second, in 65,536ths of a nanocoin. */
const bitPrice = 1;
const cellPrice = 500;

/**
 * A recorded account state lacks the time of the last storage payment and the end lt of the last transaction. The
 * collected storage fee leaves a few possible times; the account hash selects the right one.
 */
function rebuildAccount(address: Address, transaction: Json, answer: Json): ShardAccount | undefined {
  const state = asRecord(transaction.account_state_before);
  if (state.account_status === "nonexist") return undefined;
  const wanted = parseHash(asText(state.hash));
  const codes = asRecord(answer.code_cells);
  const datas = asRecord(answer.data_cells);
  const cellAt = (cells: Json, hash: unknown) => (hash === null ? undefined : cellOf(cells[asText(hash)]));
  const [code, data] = [cellAt(codes, state.code_hash), cellAt(datas, state.data_hash)];
  const init = { fixedPrefixLength: undefined, special: undefined, code, data, libraries: noLibraries };
  const previousLt = BigInt(asText(transaction.prev_trans_lt));
  const balance = coinsOnly(BigInt(asText(state.balance)));
  const accountState =
    state.account_status === "active" ? { kind: "active" as const, init } : { kind: "uninit" as const };
  for (let sent = 1; sent <= maxMessages; sent++) {
    const storage = { lastTransactionLt: previousLt + BigInt(sent), balance, state: accountState };
    const cell = storeCell(AccountStorage, storage);
    const counter = new CellCounter();
    counter.add(cell);
    const used = { cells: counter.cells, bits: counter.bits };
    for (const lastPaid of lastPaidOf(transaction, used)) {
      for (const extra of extrasOf(used.cells, code, data)) {
        const storageInfo = {
          ...{ used, extra, lastPaid, duePayment: undefined },
        };
        const account = makeLinked(Account, { kind: "account", address, storageInfo, storage });
        if (account.cell.hash() !== wanted) continue;
        return {
          account,
          lastTransactionHash: parseHash(asText(transaction.prev_trans_hash)),
          lastTransactionLt: previousLt,
        };
      }
    }
  }
  throw new Error(`the account ${address} cannot be rebuilt`);
}

type Extra = ValueOf<typeof StorageExtra>;

const noLibraries = new Dictionary(undefined, hashKey, SimpleLibrary);

function extrasOf(cells: number, code: Cell | undefined, data: Cell | undefined): readonly Extra[] {
  if (cells <= maxCellsWithoutDict) return [{ kind: "none" }];
  const roots = [code, data].filter((each) => each !== undefined);
  const dictHash = BigInt(`0x${runAtOnce(runAtOnce(CellCounter.ofState(roots)).dictionaryHash())}`);
  return [{ kind: "none" }, { kind: "info", dictHash }];
}

/** The payment times for which the storage phase collects the recorded fee. */
function* lastPaidOf(transaction: Json, { cells, bits }: { readonly cells: number; readonly bits: number }) {
  const now = Number(transaction.now);
  const phase = asRecord(asRecord(transaction.description).storage_ph);
  const fee = Number(asText(phase.storage_fees_collected));
  const rate = bits * bitPrice + cells * cellPrice;
  const max = Math.ceil((fee * 65_536) / rate) + 1;
  for (let delta = max; delta >= 0 && Math.ceil((delta * rate) / 65_536) >= fee - 1; delta--) yield now - delta;
}
