import type { JsonObject, JsonValue } from "../../lib/json.ts";
import { askIndex, type Question } from "./Question.ts";

/** Answers a question from the chain; undefined when the chain has no answer. */
export type AskChain = (question: Question) => Promise<JsonValue | undefined>;

export interface QuestionSource {
  /** The masterchain block about which everything is asked. */
  readonly seqno: number;
  /** Accounts to ask about besides those of the block. */
  readonly addresses: readonly string[];
  /** Whether the service has an index, so that v3 is asked as well. */
  readonly withIndex: boolean;
}

/** Accounts and messages of a block that are asked about. */
const maxAccounts = 20;
const maxMessages = 5;
/** Parameters that every network has: contracts, versions, elections, prices, limits, validators. */
const configParams = [0, 1, 4, 8, 15, 16, 17, 18, 20, 21, 24, 25, 34];
const listed = { count: 20 };

/** Questions about one masterchain block, its shards, and accounts that did something there; in turns by operation. */
export async function makeQuestions(
  { seqno, addresses, withIndex }: QuestionSource,
  askChain: AskChain,
): Promise<readonly Question[]> {
  const shards = listOf(fieldOf(await askChain({ operation: "getShards", args: { seqno } }), "shards"));
  const header = await askChain({ operation: "lookupBlock", args: { ...masterShard, seqno } });
  const blocks = [header, ...shards].flatMap((id) => blockArgs(id));
  const transactions: JsonObject[] = [];
  for (const block of blocks) {
    const answer = await askChain({ operation: "getBlockTransactionsExt", args: { ...block, ...listed } });
    transactions.push(...listOf(fieldOf(answer, "transactions")).map(objectOf));
  }
  const accounts = [...new Set([...addresses, ...transactions.map(accountOf)])].filter((each) => each !== "");
  return inTurns([
    ...blocks.flatMap((args) => [
      { operation: "getBlockHeader", args },
      { operation: "getBlockTransactions", args: { ...args, ...listed } },
      { operation: "getBlockTransactionsExt", args: { ...args, ...listed } },
      { operation: "lookupBlock", args: placeOf(args) },
    ]),
    { operation: "shards", args: { seqno } },
    { operation: "getMasterchainBlockSignatures", args: { seqno } },
    ...configParams.map((param) => ({ operation: "getConfigParam", args: { config_id: param, seqno } })),
    ...accounts.slice(0, maxAccounts + addresses.length).flatMap((address) => aboutAccount(address, seqno)),
    ...transactions.slice(0, maxAccounts).flatMap(aboutTransaction),
    ...transactions.flatMap(aboutMessage).slice(0, 2 * maxMessages),
    ...(withIndex ? aboutRows(blocks, transactions, accounts) : []),
  ]);
}

const masterShard = { workchain: -1, shard: "-9223372036854775808" };

function aboutAccount(address: string, seqno: number): readonly Question[] {
  const at = { address, seqno };
  const plain = [
    ...["getAddressInformation", "getExtendedAddressInformation", "getWalletInformation"],
    ...["getAddressBalance", "getAddressState", "getTokenData"],
  ];
  const methods = ["seqno", "get_wallet_data", "get_jetton_data", "get_nft_data", "get_collection_data"];
  return [
    ...plain.map((operation) => ({ operation, args: at })),
    ...methods.map((method) => ({ operation: "runGetMethod", args: { ...at, method, stack: [] } })),
  ];
}

/** Accounts of which the index is asked what they are, and transactions that it is asked for. */
const maxIndexed = 10;

/** Rows of an index that the chain can prove. */
function aboutRows(
  blocks: readonly JsonObject[],
  transactions: readonly JsonObject[],
  accounts: readonly string[],
): readonly Question[] {
  return [
    ...blocks.map(({ workchain = 0, shard = "", seqno = 0 }) => askIndex("blocks", { workchain, shard, seqno })),
    ...transactions.slice(0, maxIndexed).flatMap((transaction) => {
      const { lt = "", hash = "" } = objectOf(transaction.transaction_id);
      return [
        askIndex("transactions", { hash }),
        askIndex("transactions", { account: accountOf(transaction), end_lt: lt, limit: 5 }),
        askIndex("traces", { tx_hash: hash }),
      ];
    }),
    ...accounts
      .slice(0, maxIndexed)
      .flatMap((address) =>
        ["accountStates", "walletStates", "jetton/wallets", "jetton/masters", "nft/items"].map((name) =>
          askIndex(name, { address }),
        ),
      ),
  ];
}

/** History from a transaction on: it does not change. */
function aboutTransaction(transaction: JsonObject): readonly Question[] {
  const { lt, hash } = objectOf(transaction.transaction_id);
  const address = accountOf(transaction);
  if (address === "" || lt === undefined || hash === undefined) return [];
  return [{ operation: "getTransactions", args: { address, lt, hash, limit: 5 } }];
}

/** The message that a transaction received, if an account sent it. */
function aboutMessage(transaction: JsonObject): readonly Question[] {
  const message = objectOf(transaction.in_msg);
  const [source, destination, lt] = ["source", "destination", "created_lt"].map((name) => message[name]);
  if (typeof source !== "string" || source === "" || destination === undefined || lt === undefined) return [];
  const args = { source, destination, created_lt: lt };
  return ["tryLocateResultTx", "tryLocateSourceTx"].map((operation) => ({ operation, args }));
}

function accountOf({ account, address }: JsonObject): string {
  const named = objectOf(address).account_address ?? account;
  return typeof named === "string" ? named : "";
}

function blockArgs(id: JsonValue | undefined): readonly JsonObject[] {
  const { workchain, shard, seqno, root_hash: rootHash, file_hash: fileHash } = objectOf(id);
  if (workchain === undefined || shard === undefined || seqno === undefined) return [];
  if (rootHash === undefined || fileHash === undefined) return [];
  return [{ workchain, shard, seqno, root_hash: rootHash, file_hash: fileHash }];
}

function placeOf({ workchain = 0, shard = "", seqno = 0 }: JsonObject): JsonObject {
  return { workchain, shard, seqno };
}

function fieldOf(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return objectOf(value)[name];
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

/** One question of each operation, then the next of each: a short audit asks something of everything. */
function inTurns(questions: readonly Question[]): readonly Question[] {
  const groups = new Map<string, Question[]>();
  for (const question of questions)
    groups.set(question.operation, [...(groups.get(question.operation) ?? []), question]);
  const length = Math.max(0, ...[...groups.values()].map((group) => group.length));
  return Array.from({ length }, (_, at) => [...groups.values()].flatMap((group) => group.slice(at, at + 1))).flat();
}
