import { AnswerNotes } from "../../src/api/declare/AnswerNotes.ts";
import { v3Endpoints } from "../../src/api/v3/list.ts";
import { V3Reader } from "../../src/api/v3/V3Reader.ts";
import type { History } from "../../src/history/queries/kit/History.ts";
import { openLog } from "../../src/lib/log.ts";
import { type MadeAccounts, messageAt, personAt, quickRandom, skewed, transactionAt } from "./made/madeChain.ts";

type Query = Readonly<Record<string, string | readonly string[]>>;

/** A v3 request as in a URL. */
export interface V3Request {
  readonly path: string;
  readonly query: Query;
}

/** The synthetic chain that requests are about. */
export interface MixedChain {
  readonly accounts: MadeAccounts;
  readonly transactions: number;
  readonly blocks: number;
  /** 1 by default. */
  readonly firstBlock?: number;
}

/** An encoded answer, and the cursor of the next page. */
export interface GivenAnswer {
  readonly text: string;
  readonly next: string | undefined;
}

const log = openLog({ level: "silent" });
const readers = new Map(
  v3Endpoints.map((endpoint) => [endpoint.name, { endpoint, reader: new V3Reader(endpoint.args) }]),
);

/** Answers a request like the server, from its arguments to the text of the answer. */
export async function answer(history: History, { path, query }: V3Request): Promise<GivenAnswer> {
  const reader = readers.get(path);
  if (reader === undefined) throw new Error(`unknown request ${path}`);
  const notes = new AnswerNotes();
  const { signal } = new AbortController();
  const context = { id: "bench", caller: { kind: "open" as const }, log, notes, signal };
  const value = await reader.endpoint.run({ history }, reader.reader.fromQuery(query, {}), context);
  const text = JSON.stringify(reader.endpoint.result.encode(value));
  const at = notes.headers.indexOf("X-Next-Cursor");
  return { text, next: at < 0 ? undefined : notes.headers[at + 1] };
}

/** The offset of the deep page of the busiest account's list; smaller for a small chain. */
export function deepOffset({ transactions }: Pick<MixedChain, "transactions">): number {
  return Math.min(10_000, Math.ceil(transactions / 100));
}

const limit = "20";

/** Makers of requests, by description. */
export type Mix = Readonly<Record<string, () => V3Request>>;

/** The mix of requests; `cursor` is the start of the deep page of the busiest account's list. */
export function makeMix(chain: MixedChain, cursor: string | undefined): Mix {
  const { accounts, transactions, blocks, firstBlock = 1 } = chain;
  const random = quickRandom(7);
  const busy = () => personAt(skewed(random, accounts.people));
  const any = () => personAt(Math.floor(random() * accounts.people));
  const many = (count: number) => Array.from({ length: count }, any);
  const below = (max: number) => Math.floor(random() * max);
  const ask = (path: string, query: Query): V3Request => ({ path, query });
  return {
    "account history": () => ask("transactions", { account: busy(), limit }),
    "by masterchain block": () =>
      ask("transactionsByMasterchainBlock", { seqno: String(firstBlock + below(blocks)), limit }),
    "by message hash": () => ask("transactionsByMessage", { msg_hash: messageAt(below(transactions)) }),
    "jetton transfers of an owner": () => ask("jetton/transfers", { owner_address: busy(), limit }),
    "NFT items of an owner": () => ask("nft/items", { owner_address: busy(), limit }),
    "actions of an account": () => ask("actions", { account: busy(), limit }),
    "traces of an account": () => ask("traces", { account: busy(), limit }),
    "deep page by cursor": () =>
      ask("transactions", { account: personAt(0), limit, ...(cursor === undefined ? {} : { cursor }) }),
    "deep page by offset": () =>
      ask("transactions", { account: personAt(0), limit, offset: String(deepOffset(chain)) }),
    "top accounts": () => ask("topAccountsByBalance", { limit, offset: String(below(5) * 20) }),
    "address book of 1000": () => ask("addressBook", { address: many(1000) }),
    "account states of 100": () => ask("accountStates", { address: many(100) }),
    blocks: () => ask("blocks", { workchain: "0", limit, offset: String(below(10) * 20) }),
  };
}

/** Requests that no single index answers; each must still finish in time. */
export function makeHardOnes({ blocks }: MixedChain, emptyBody: string): Mix {
  return {
    "by seqno without workchain and shard": () => ({
      path: "transactions",
      query: { seqno: String(blocks >> 1), limit },
    }),
    "by a body that most messages share": () => ({
      path: "transactionsByMessage",
      query: { body_hash: emptyBody, limit },
    }),
    "a transaction's trace": () => ({ path: "traces", query: { tx_hash: transactionAt(1), include_actions: "true" } }),
  };
}
