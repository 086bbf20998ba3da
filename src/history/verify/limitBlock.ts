import type { Address } from "../../model/Address.ts";
import type { Hash } from "../../model/Hash.ts";
import type { DecodedBatch } from "../ingest/decode/DecodedBatch.ts";
import { listZeroAccounts } from "../ingest/states/zeroAccounts.ts";
import { AccountScope } from "../scope/AccountScope.ts";
import type { Scope } from "../scope/Scope.ts";
import type { SqlSession } from "../store/Database.ts";
import { transactions as table } from "../store/schema/tables.ts";
import type { ProvedChain } from "./ProvedChain.ts";

/** A block without what an index with a scope leaves out. */
export interface LimitedBlock {
  readonly decoded: DecodedBatch;
  /** Accounts whose states after the block are in the index. */
  readonly accounts: ReadonlySet<Address>;
}

/**
 * What an index with a scope must have of a block: the transactions on accounts of the scope, and those that the tables
 * have, which came with the rest of their traces.
 */
export async function limitBlock(
  session: Pick<SqlSession, "query">,
  chain: ProvedChain,
  decoded: DecodedBatch,
  scope: Scope,
): Promise<LimitedBlock> {
  const inside = await findInside(chain, decoded, scope);
  const { mcSeqno } = decoded.batch;
  const rows = await session.query("select hash from transactions where mc_block_seqno = $1", [mcSeqno]);
  const stored = new Set(rows.map((row) => table.columns.hash.read(row.hash ?? null)));
  const transactions = decoded.transactions.filter(({ row }) => inside.has(row.account) || stored.has(row.hash));
  const messages = new Set<Hash>();
  for (const { seen } of transactions)
    for (const message of [seen.inMessage, ...seen.outMessages]) if (message !== undefined) messages.add(message.hash);
  const accounts = new Set([...inside, ...transactions.map(({ row }) => row.account)]);
  return {
    accounts,
    decoded: {
      ...decoded,
      transactions,
      changed: decoded.changed.filter(({ address }) => accounts.has(address)),
      rows: { ...decoded.rows, messages: decoded.rows.messages.filter(({ hash }) => messages.has(hash)) },
    },
  };
}

/** The accounts of a block that are in the scope; their codes and entities are read only when the scope needs them. */
async function findInside(chain: ProvedChain, decoded: DecodedBatch, scope: Scope): Promise<ReadonlySet<Address>> {
  const accounts = new AccountScope(scope);
  const there = [...decoded.changed, ...listZeroAccounts(decoded.batch)].map(({ address }) => address);
  if (scope.jettons.length + scope.collections.length + scope.codeHashes.length === 0)
    return new Set(there.filter((address) => accounts.names(address)));
  const { mcSeqno } = decoded.batch;
  const { accounts: states } = await chain.readStates(mcSeqno, new Set(there));
  const latest = [...new Map(states.map((state) => [state.address, state])).values()];
  const coded = latest.map(({ address, code }) => ({ address, codeHash: code?.hash() }));
  return accounts.find(there, coded, await chain.detect(latest, mcSeqno));
}
