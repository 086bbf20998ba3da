import { writeBoc } from "../../../cell/boc.ts";
import { type AccountNow, findCode, findData, getAccountAt } from "../../../chain/accounts.ts";
import type { Chain } from "../../../chain/Chain.ts";
import { chainAt } from "../../../chain/pinned/atBlock.ts";
import { accountStateRow, latestStateRow } from "../../../history/ingest/decode/accountRows.ts";
import { noAccount } from "../../../history/ingest/states/BlockStates.ts";
import type { LatestAccount } from "../../../history/queries/accounts.ts";
import type { JsonValue } from "../../../lib/json.ts";
import { readDeferred } from "../../../lib/kit/deferredJson.ts";
import { inParallel } from "../../../lib/sharing/inParallel.ts";
import { type Address, distinct, findAddress } from "../../../model/Address.ts";
import type { Hash } from "../../../model/Hash.ts";
import { ApiError } from "../../declare/errors.ts";
import type { ProvedRows, ShownAnswer } from "../../declare/proof.ts";
import { unprovable } from "./transactionProof.ts";

type Json = Readonly<Record<string, JsonValue>>;

/** The most accounts of one proof: each needs an answer of its own. */
const maxAccounts = 100;
/** How many accounts are read at a time. */
const accountsAtOnce = 16;

/** What a list of accounts was asked for, and how it shows one. */
export interface AskedAccounts {
  /** The name of the list in the answer. */
  readonly name: string;
  readonly accounts: readonly Address[];
  readonly codeHashes: readonly Hash[];
  readonly encode: (account: LatestAccount) => unknown;
}

/**
 * Proves that accounts are what an answer shows at the newest block of the index, and that those left out do not exist.
 */
export async function proveAccounts(
  chain: Chain,
  { name, accounts, codeHashes, encode }: AskedAccounts,
  { result, at }: ShownAnswer,
): Promise<ProvedRows> {
  const asked = distinct(accounts);
  if (asked.length > maxAccounts)
    throw unprovable(`a proof covers at most ${maxAccounts} accounts, not ${asked.length}; ask for fewer at once`);
  const pinned = await chainAt(chain, at);
  const rows = (Object(result) as Json)[name];
  const shown = new Map((Array.isArray(rows) ? rows : []).map((row) => [readAddress(row), Object(row) as Json]));
  const read = await inParallel(asked, accountsAtOnce, (each) => getAccountAt(pinned, each, pinned.head.block));
  const proved = read.flatMap((account) => {
    const codeHash = findCode(account)?.hash();
    const isWanted = codeHashes.length === 0 || (codeHash !== undefined && codeHashes.includes(codeHash));
    const row = shown.get(account.address);
    shown.delete(account.address);
    if (row !== undefined && !isWanted) throw new ApiError("api/incomplete", `${account.address} was not asked for`);
    if (row === undefined && isWanted && account.content.kind !== "nonexist")
      throw new ApiError("api/incomplete", `the answer leaves out the account ${account.address}`);
    return row === undefined ? [] : [provedFields(account, encode, row)];
  });
  if (shown.size > 0) throw new ApiError("api/incomplete", `${[...shown.keys()][0]} was not asked for`);
  return { result: { [name]: proved }, isComplete: true, at: pinned.head };
}

function readAddress(row: JsonValue): Address | undefined {
  return findAddress(String((Object(row) as Json).address))?.address;
}

/** Derived from the code, or true only at a time. */
const derived = ["contract_methods", "interfaces", "suspended"];
/** What the chain forgets of an account that is deleted. */
const forgotten = ["last_transaction_hash", "last_transaction_lt"];

/** An index need not keep deep data; the hash is there anyway. */
const omitted = ["data_boc"];

function provedFields(account: AccountNow, encode: AskedAccounts["encode"], shown: Json): Json {
  const row = readDeferred(encode(latestOf(account)));
  const names = [
    ...derived,
    ...(account.content.kind === "nonexist" ? forgotten : []),
    ...omitted.filter((name) => !(name in shown)),
  ];
  return Object.fromEntries(Object.entries(row as Json).filter(([name]) => !names.includes(name)));
}

/** An account as the index has it. */
function latestOf(account: AccountNow): LatestAccount {
  const [cell, code, data] = [account.entry?.cell ?? noAccount, findCode(account), findData(account)];
  const { lt: lastTransLt, hash: lastTransHash } = account.lastTransaction;
  const after = {
    ...{ address: account.address, block: account.shardBlock, now: account.syncAt },
    ...{ stateHash: cell.hash(), lastTransHash, lastTransLt, cell, code, data },
  };
  const row = latestStateRow(accountStateRow(after), after, data && writeBoc(data));
  return { row, codeBoc: code && writeBoc(code), methods: undefined, interfaces: [] };
}
