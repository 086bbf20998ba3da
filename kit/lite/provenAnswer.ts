import { Cell } from "../../src/cell/Cell.ts";
import type { Hash } from "../../src/cell/Hash.ts";
import { Linked } from "../../src/cell/linked.ts";
import { fromBase64, fromHex, toHex } from "../../src/lib/bytes.ts";
import { checkAccountState } from "../../src/lite/queries/accounts.ts";
import { checkBlockHeader } from "../../src/lite/queries/blockHeader.ts";
import { checkBlockProof } from "../../src/lite/queries/blockProof.ts";
import { checkBlockData, checkZeroState } from "../../src/lite/queries/blocks.ts";
import { checkConfig, checkConfigParams } from "../../src/lite/queries/config.ts";
import { blockIdFromTl, type TlAccountId } from "../../src/lite/queries/ids.ts";
import { checkLibrariesWithProof } from "../../src/lite/queries/libraries.ts";
import { checkLookup, checkLookupProof, type Lookup } from "../../src/lite/queries/lookup.ts";
import { checkQueueSize } from "../../src/lite/queries/queues.ts";
import { checkAllShards, checkShardBlockProof } from "../../src/lite/queries/shards.ts";
import {
  type BlockListQuery,
  type BlockPage,
  checkBlockTransactions,
  checkBlockTransactionsExt,
  checkTransactions,
} from "../../src/lite/queries/transactions.ts";
import { decodeAnswer, findServerError } from "../../src/lite/server/LiteServer.ts";
import * as queries from "../../src/lite/tl/liteQueries.ts";
import { type DecodedQuery, decodeQuery, unwrapQuery } from "../../src/lite/tl/queryEnvelope.ts";
import type { TlQuery } from "../../src/lite/tl/record.ts";
import type { TlValue } from "../../src/lite/tl/types.ts";
import { type Address, makeAddress } from "../../src/model/Address.ts";
import { hashFromBytes } from "../../src/model/Hash.ts";
import type { LiteExchange } from "./liteExchanges.ts";
import { checkOneTransaction } from "./queries/oneTransaction.ts";
import { checkPrunedAccountState } from "./queries/prunedAccount.ts";
import { checkRun } from "./queries/runMethod.ts";
import { checkShardInfo } from "./queries/shardInfo.ts";
import { checkLibraries } from "./queries/unprovenLibraries.ts";

/** A recorded exchange with a provable answer. */
export interface ProvableExchange {
  readonly name: string;
  readonly note: string;
  readonly request: DecodedQuery;
  readonly answer: Uint8Array;
}

interface Rule {
  readonly query: TlQuery<unknown, unknown>;
  /** Whether the arguments ask for a proof. */
  readonly isProvable: (args: unknown) => boolean;
  /** Returns what an answer proves, without unproven parts; throws if the proof is invalid. */
  readonly check: (args: unknown, answer: unknown) => unknown;
}

/** The only cast: each rule gets the arguments of its own query. */
function rule<Q, A>(
  query: TlQuery<Q, A>,
  check: (args: Q, answer: A) => unknown,
  isProvable: (args: Q) => boolean = () => true,
): Rule {
  return {
    query,
    isProvable: (args) => isProvable(args as Q),
    check: (args, answer) => check(args as Q, answer as A),
  };
}

function addressOf({ workchain, id }: TlAccountId): Address {
  return makeAddress(workchain, toHex(id));
}

function lookupOf(args: Pick<TlValue<typeof queries.lookupBlock>, "id" | "lt" | "utime">): Lookup {
  const place = { workchain: args.id.workchain, shard: BigInt.asUintN(64, args.id.shard) };
  if (args.lt !== undefined) return { ...place, by: "lt", lt: args.lt };
  return args.utime === undefined
    ? { ...place, by: "seqno", seqno: args.id.seqno }
    : { ...place, by: "time", at: args.utime };
}

function pageOf(args: TlValue<typeof queries.listBlockTransactions>): BlockListQuery {
  const { after, count, reverseOrder = false } = args;
  if (after === undefined) return { count, reverse: reverseOrder };
  return {
    count,
    reverse: reverseOrder,
    after: { account: hashFromBytes(after.account), lt: BigInt.asUintN(64, after.lt) },
  };
}

const hashesOf = (list: readonly Uint8Array[]): Hash[] => list.map(hashFromBytes);

const rules: readonly Rule[] = [
  rule(queries.getAccountState, (q, a) => checkAccountState(blockIdFromTl(q.id), addressOf(q.account), a)),
  rule(queries.getAccountStatePrunned, (q, a) => checkPrunedAccountState(blockIdFromTl(q.id), addressOf(q.account), a)),
  rule(queries.getBlock, (q, a) => checkBlockData(blockIdFromTl(q.id), a)),
  rule(
    queries.getState,
    (q, a) => checkZeroState(blockIdFromTl(q.id), a),
    (q) => q.id.seqno === 0,
  ),
  rule(queries.getBlockHeader, (q, a) => checkBlockHeader(blockIdFromTl(q.id), a)),
  rule(queries.lookupBlock, (q, a) => {
    const lookup = lookupOf(q);
    const { id, ...header } = checkLookup(lookup, a);
    return lookup.by === "seqno" ? { rootHash: id.rootHash, ...header } : "a block that fits";
  }),
  rule(queries.lookupBlockWithProof, (q, a) => checkLookupProof(blockIdFromTl(q.mcBlockId), lookupOf(q), a)),
  rule(queries.getAllShardsInfo, (q, a) => checkAllShards(blockIdFromTl(q.id), a)),
  rule(queries.getShardInfo, (q, a) =>
    checkShardInfo(
      blockIdFromTl(q.id),
      { workchain: q.workchain, shard: BigInt.asUintN(64, q.shard), exact: q.exact },
      a,
    ),
  ),
  rule(queries.getShardBlockProof, (q, a) => {
    const { masterBlock, links } = checkShardBlockProof(blockIdFromTl(q.id), a);
    return { masterRootHash: masterBlock.rootHash, links: links.map(({ id }) => id) };
  }),
  rule(
    queries.getConfigAll,
    (q, a) => checkConfig(blockIdFromTl(q.id), a),
    (q) => (q.mode & 0x8000) === 0,
  ),
  rule(queries.getConfigParams, (q, a) => checkConfigParams(blockIdFromTl(q.id), q.paramList, a)),
  rule(queries.getOneTransaction, (q, a) => checkOneTransaction(blockIdFromTl(q.id), addressOf(q.account), q.lt, a)),
  rule(queries.getTransactions, (q, a) => {
    const from = { lt: q.lt, hash: hashFromBytes(q.hash) };
    return checkTransactions(addressOf(q.account), from, q.count, a).map(({ transaction }) => transaction);
  }),
  rule(
    queries.listBlockTransactions,
    (q, a) => checkBlockTransactions(blockIdFromTl(q.id), pageOf(q), a),
    (q) => q.wantProof === true,
  ),
  rule(
    queries.listBlockTransactionsExt,
    (q, a) => checkBlockTransactionsExt(blockIdFromTl(q.id), pageOf(q), a),
    (q) => q.wantProof === true,
  ),
  rule(queries.getBlockProof, (q, a) => {
    const target = q.targetBlock === undefined ? undefined : blockIdFromTl(q.targetBlock);
    const { block, header, keyBlock } = checkBlockProof(blockIdFromTl(q.knownBlock), target, a);
    return target === undefined ? "some newer block" : { block, header, keyBlock };
  }),
  rule(
    queries.getBlockOutMsgQueueSize,
    (q, a) => checkQueueSize(blockIdFromTl(q.id), a),
    (q) => q.wantProof === true,
  ),
  rule(queries.getLibraries, (q, a) => checkLibraries(hashesOf(q.libraryList), a)),
  rule(
    queries.getLibrariesWithProof,
    (q, a) => checkLibrariesWithProof(blockIdFromTl(q.id), hashesOf(q.libraryList), a),
    (q) => (q.mode & 2) === 0,
  ),
  rule(
    queries.runSmcMethod,
    (q, a) => checkRun(blockIdFromTl(q.id), addressOf(q.account), a).shardBlock,
    (q) => (q.mode & 1) !== 0,
  ),
];

const rulesByName = new Map(rules.map((known) => [known.query.name, known]));

/** Names of all queries with provable answers, without their prefix. */
export const provableNames: readonly string[] = rules.map(({ query }) => shortName(query));

function shortName(query: TlQuery<unknown, unknown>): string {
  return query.name.replace("liteServer.", "");
}

/** The exchanges of a recording with provable answers; without errors and answers without proof. */
export function listProvable(exchanges: readonly LiteExchange[]): ProvableExchange[] {
  return exchanges.flatMap((exchange) => {
    if (exchange.response === null || exchange.group === "bad" || exchange.note === "trailing bytes") return [];
    const request = decodeQuery(unwrapQuery(fromHex(exchange.request)));
    const answer = fromBase64(exchange.response);
    const isProvable = rulesByName.get(request.query.name)?.isProvable(request.args) === true;
    if (!isProvable || findServerError(answer) !== undefined) return [];
    return [{ name: shortName(request.query), note: exchange.note ?? "", request, answer }];
  });
}

export function decodedAnswer({ request, answer }: ProvableExchange): unknown {
  return decodeAnswer(request.query, answer);
}

/** What a decoded answer proves about a query; throws if the proof is invalid. */
export function provenBy(request: DecodedQuery, answer: unknown): unknown {
  const known = rulesByName.get(request.query.name);
  if (known === undefined) throw new Error(`${request.query.name} has no proofs`);
  return known.check(request.args, answer);
}

/** Converts a value for comparison: cells and lazily loaded values become their hash in the proved tree. */
export function plainValue(value: unknown): unknown {
  if (value instanceof Cell) return `cell ${value.hash(0)}`;
  if (value instanceof Linked) return plainValue(value.cell);
  if (value instanceof Uint8Array) return `bytes ${toHex(value)}`;
  if (value instanceof Map) return [...value].map(plainValue).toSorted();
  if (Array.isArray(value)) return value.map(plainValue);
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value !== "object" || value === null) return value;
  if ("root" in value && !("id" in value)) return { root: plainValue(value.root) };
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plainValue(inner)]));
}

/**
 * Whether the proved value is the true value, or a part of it that is marked as incomplete: a shorter page with more
 * after it, or a list of libraries, which a server may shorten without proof.
 */
export function isTruth(name: string, truth: unknown, proved: unknown): boolean {
  if (proved === "claimed-missing") return true;
  if (name === "getTransactions") return isBeginning(asList(truth), asList(proved));
  if (name === "getLibraries") return asList(proved).every((entry) => isAmong(asList(truth), entry));
  if (name.startsWith("listBlockTransactions")) {
    const [whole, page] = [truth as BlockPage<unknown>, proved as BlockPage<unknown>];
    if (page.items.length < whole.items.length)
      return page.incomplete && page.items.length > 0 && isBeginning(whole.items, page.items);
  }
  return JSON.stringify(truth) === JSON.stringify(proved);
}

function asList(value: unknown): readonly unknown[] {
  return value as readonly unknown[];
}

function isAmong(list: readonly unknown[], item: unknown): boolean {
  return list.some((other) => JSON.stringify(other) === JSON.stringify(item));
}

function isBeginning(whole: readonly unknown[], part: readonly unknown[]): boolean {
  return JSON.stringify(whole.slice(0, part.length)) === JSON.stringify(part);
}
