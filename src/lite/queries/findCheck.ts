import { makeAddress } from "../../model/Address.ts";
import { hashFromBytes } from "../../model/Hash.ts";
import { decodeAnswer } from "../server/LiteServer.ts";
import { getAccountState, getAllShardsInfo, getBlock, getBlockHeader, getConfigAll } from "../tl/liteQueries.ts";
import type { DecodedQuery } from "../tl/queryEnvelope.ts";
import type { TlQuery } from "../tl/record.ts";
import { checkAccountState } from "./accounts.ts";
import { checkBlockHeader } from "./blockHeader.ts";
import { checkBlockData } from "./blocks.ts";
import { checkConfig } from "./config.ts";
import { blockIdFromTl } from "./ids.ts";
import { checkAllShards } from "./shards.ts";

/** Throws unless the answer to the query is proved by the block that the query names. */
type Check = (args: never, answer: Uint8Array) => void;

function check<Q, A>(query: TlQuery<Q, A>, prove: (args: Q, answer: A) => unknown): readonly [string, Check] {
  return [query.name, (args: Q, answer) => void prove(args, decodeAnswer(query, answer))];
}

/** Queries whose answer is proved by the block they name, with its hashes: it never changes. */
const checks: ReadonlyMap<string, Check> = new Map([
  check(getBlock, ({ id }, answer) => checkBlockData(blockIdFromTl(id), answer)),
  check(getBlockHeader, ({ id }, answer) => checkBlockHeader(blockIdFromTl(id), answer)),
  check(getAllShardsInfo, ({ id }, answer) => checkAllShards(blockIdFromTl(id), answer)),
  check(getConfigAll, ({ id }, answer) => checkConfig(blockIdFromTl(id), answer)),
  check(getAccountState, ({ id, account }, answer) =>
    checkAccountState(blockIdFromTl(id), makeAddress(account.workchain, hashFromBytes(account.id)), answer),
  ),
]);

/** The check of an answer, for queries whose answer follows from the block they name. */
export function findCheck({ query, args }: DecodedQuery): ((answer: Uint8Array) => void) | undefined {
  const found = checks.get(query.name);
  return found && ((answer) => found(args as never, answer));
}
