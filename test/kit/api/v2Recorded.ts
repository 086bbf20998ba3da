import { Value } from "typebox/value";
import { v2Endpoints } from "../../../src/api/v2/list.ts";
import { rawFullAccountState } from "../../../src/api/v2/shapes/accounts.ts";
import { configInfo } from "../../../src/api/v2/shapes/cells.ts";
import { blockTransactionsExt, extTransaction } from "../../../src/api/v2/shapes/transactions.ts";
import { crcForm, readRoot, writeBoc } from "../../../src/cell/boc.ts";
import { type AccountNow, findCode } from "../../../src/chain/accounts.ts";
import type { AccountTransaction } from "../../../src/chain/transactions.ts";
import { fromBase64 } from "../../../src/lib/bytes.ts";
import { parseAddress } from "../../../src/model/Address.ts";
import type { BlockIdExt } from "../../../src/model/block/BlockId.ts";
import { coinsOnly } from "../../../src/model/Currency.ts";
import type { Hash } from "../../../src/model/Hash.ts";
import { loadInCell } from "../../../src/model/Message.ts";
import { Transaction } from "../../../src/model/Transaction.ts";
import { compareAnswers, type Difference } from "./v2Golden.ts";

/** A recorded answer of a public service. */
export interface RecordedAnswer {
  readonly method: string;
  readonly request: string;
  readonly response: { readonly result: unknown };
}

type Json = Readonly<Record<string, unknown>>;

const cellOf = (text: unknown) => readRoot(fromBase64(String(text)));
const hashOf = (text: unknown) => Buffer.from(String(text), "base64").toString("hex") as Hash;

function blockOf(value: unknown): BlockIdExt {
  const { workchain, shard, seqno, root_hash: root, file_hash: file } = Object(value);
  return { workchain, shard: BigInt.asUintN(64, BigInt(shard)), seqno, rootHash: hashOf(root), fileHash: hashOf(file) };
}

function transactionOf({ address, data }: Json): AccountTransaction {
  const { address: account } = parseAddress(Object(address).account_address);
  return { address: account, transaction: loadInCell(Transaction, cellOf(data)) };
}

function accountOf(result: Json): AccountNow {
  const { lt, hash } = Object(result.last_transaction_id);
  return {
    address: parseAddress(`0:${"0".repeat(64)}`).address,
    block: blockOf(result.block_id),
    shardBlock: blockOf(result.block_id),
    syncAt: Number(result.sync_utime),
    balance: coinsOnly(BigInt(String(result.balance))),
    lastTransaction: { lt: BigInt(lt), hash: hashOf(hash) },
    content: { kind: "active", code: cellOf(result.code), data: cellOf(result.data) },
    storage: undefined,
    entry: undefined,
  };
}

/** Encodes the cells and values of a recorded answer with our shapes; `undefined` when the answer lacks them. */
function findRemade(method: string, result: unknown): unknown {
  const given: Json = Object(result);
  switch (method) {
    case "getTransactions":
      return (result as readonly Json[]).map((each) => extTransaction.encode(transactionOf(each)));
    case "getBlockTransactionsExt": {
      const { id, req_count: count, incomplete, transactions } = Object(given);
      return blockTransactionsExt.encode({
        block: blockOf(id),
        count,
        incomplete,
        items: transactions.map(transactionOf),
      });
    }
    case "getConfigParam":
      return configInfo.encode(cellOf(Object(given.config).bytes));
    case "getAddressInformation":
      return encodeAccount(accountOf(given));
    default:
      return undefined;
  }
}

function encodeAccount(account: AccountNow): unknown {
  const code = findCode(account);
  return rawFullAccountState.encode({ account, code: code && writeBoc(code, crcForm), suspended: false });
}

/** A known difference in recorded answers. */
interface Rule {
  readonly name: string;
  readonly reason: string;
  readonly explains: (difference: Difference, method: string) => boolean;
}

/** Fields that the recorded services did not have yet: added later, or recommended only by the contract. */
const laterFields = new Set(["account", "hash", "extra_currencies", "suspended", "flags", "vert_seqno"]);

/** Every accepted difference between recorded answers and ours, with the reason. */
export const recordedRules: readonly Rule[] = [
  {
    name: "names of types",
    reason: "§3: transactions and messages of older lists are `ext.…`, those of blocks `raw.transactionExt`",
    explains: ({ path, expected, actual }) =>
      /@type$/.test(path) &&
      (/^raw\.(?:transaction|message)$/.test(String(expected)) || /ext\.|transactionExt/.test(String(actual))),
  },
  {
    name: "later fields",
    reason: "§3, §2.1, §2.2: added in the later API version, or are recommended by the contract",
    explains: ({ path, expected, actual }) =>
      path.startsWith("schema")
        ? expected === "required" && namesOf(actual).every((name) => laterFields.has(name))
        : expected === undefined && laterFields.has(path.replace(/^.*\./, "")),
  },
  {
    name: "the consensus block",
    reason: "§2.2: the shape of the later API version, which has whole seconds and a type",
    explains: ({ path, expected, actual }, method) =>
      method === "getConsensusBlock" &&
      (path === "schema/timestamp" || (expected === "required" && namesOf(actual).join() === "@type")),
  },
  {
    name: "raw addresses",
    reason: "§2.7: upper-case hex, lower-case in the older API version",
    explains: ({ expected }, method) => method === "unpackAddress" && expected === "pattern",
  },
];

function namesOf(params: unknown): readonly string[] {
  return JSON.parse(String(params)).requiredProperties ?? [];
}

/**
 * §3: the older API version writes wallet ids as text. Converted before the check, because schema errors of a union are
 * vague.
 */
function withNumbers(result: unknown): unknown {
  const { account_state: state } = Object(result);
  const { wallet_id: id } = Object(state);
  return typeof id === "string" ? { ...Object(result), account_state: { ...state, wallet_id: Number(id) } } : result;
}

const errorOf = (error: object): Difference => {
  const { instancePath, keyword, params } = Object(error);
  return { path: `schema${instancePath}`, expected: keyword, actual: JSON.stringify(params) };
};

/** Where the recorded answer does not match our schema. */
function schemaDifferences({ method, response }: RecordedAnswer): Difference[] {
  const endpoint = v2Endpoints.find(({ name }) => name === method);
  if (endpoint === undefined) return [{ path: "method", expected: method, actual: undefined }];
  return Value.Errors(endpoint.result.schema, withNumbers(response.result)).map(errorOf);
}

/** Where our encoding of the same cells differs. */
function remadeDifferences({ method, response: { result } }: RecordedAnswer): Difference[] {
  const remade = findRemade(method, result);
  if (remade === undefined) return [];
  const differences = compareAnswers({ status: 200, response: result }, { status: 200, response: remade });
  // Some of these services put `@extra` into each result; now it is beside the result.
  return differences.filter(({ path }) => path !== "response.@extra");
}

/** The differences that no rule explains, and the rules that were used. */
export function compareRecorded(recorded: RecordedAnswer): {
  readonly left: readonly Difference[];
  readonly used: readonly string[];
} {
  const differences = [...schemaDifferences(recorded), ...remadeDifferences(recorded)];
  const ruleOf = (each: Difference) => recordedRules.find(({ explains }) => explains(each, recorded.method));
  return {
    left: differences.filter((each) => ruleOf(each) === undefined),
    used: differences.flatMap((each) => ruleOf(each)?.name ?? []),
  };
}
