import { type Address, formatRawAddress } from "../../model/Address.ts";
import { masterchain, wholeShard } from "../../model/block/BlockId.ts";
import { HistoryError } from "../errors.ts";
import { describeScope, limitsAccounts, type ScopeBound } from "../scope/Scope.ts";
import type { OpenScope } from "../scope/ScopeMemory.ts";
import type { SqlValue } from "../store/Database.ts";
import { address, addresses, int4, nullable, shard } from "../store/schema/columns.ts";
import * as tables from "../store/schema/tables.ts";
import type { HistorySnapshot } from "./kit/History.ts";
import { Params } from "./kit/Statement.ts";

const owner = nullable(address);
const { codeHash } = tables.latestAccountStates.columns;

/**
 * The accounts of a list that are outside the scope: the scope does not name them, they are no wallets of its jettons
 * and no items of its collections, and they have none of its codes. What the tables have of them came with traces that
 * touch others, so it is not complete.
 */
export async function listOutside(
  reading: HistorySnapshot,
  { scope, accounts }: OpenScope,
  wanted: readonly Address[],
): Promise<readonly Address[]> {
  if (!limitsAccounts(scope)) return [];
  const inside = new Set(wanted.filter((each) => accounts.names(each)));
  const look = async (select: string, isInside: (value: SqlValue) => boolean): Promise<void> => {
    const unknown = wanted.filter((each) => !inside.has(each));
    if (unknown.length === 0) return;
    const params = new Params();
    const rows = await reading.query(params.lookup(`${select} = any(${params.of(addresses, unknown)})`));
    for (const row of rows) if (isInside(row.value ?? null)) inside.add(address.read(row.account ?? null));
  };
  const isOf = (has: (each: Address) => boolean) => (value: SqlValue) => {
    const found = owner.read(value);
    return found !== undefined && has(found);
  };
  if (scope.jettons.length > 0) {
    const wallets = "select address as account, jetton as value from jetton_wallets where address";
    await look(
      wallets,
      isOf((each) => accounts.hasJetton(each)),
    );
  }
  if (scope.collections.length > 0) {
    const items = "select address as account, collection_address as value from nft_items where address";
    await look(
      items,
      isOf((each) => accounts.hasCollection(each)),
    );
  }
  if (scope.codeHashes.length > 0) {
    const states = "select account, code_hash as value from latest_account_states where account";
    await look(states, (value) => {
      const found = codeHash.read(value);
      return found !== undefined && accounts.hasCode(found);
    });
  }
  return wanted.filter((each) => !inside.has(each));
}

/** The time of a bound: that of its block where it is a block, if the index has it. */
export async function findBoundTime(
  reading: HistorySnapshot,
  bound: ScopeBound | undefined,
): Promise<number | undefined> {
  if (bound === undefined || bound.kind === "time") return bound?.at;
  const params = new Params();
  const place = `workchain = ${params.of(int4, masterchain)} and shard = ${params.of(shard, wholeShard)}`;
  const statement = params.lookup(
    `select gen_utime from blocks where ${place} and seqno = ${params.of(int4, bound.seqno)}`,
  );
  const [row] = await reading.query(statement);
  return row === undefined ? undefined : tables.blocks.columns.genUtime.read(row.gen_utime ?? null);
}

/** The error for what the scope leaves out, with what it covers; `what` begins the sentence. */
export function outsideScope({ scope }: OpenScope, what: string): HistoryError<"history/outside-scope"> {
  const where = "masterchainInfo lists its scope";
  return new HistoryError("history/outside-scope", `${what}; the index covers ${describeScope(scope)}, and ${where}`);
}

/** The error for accounts outside. */
export function outsideScopeError(open: OpenScope, outside: readonly Address[]): HistoryError<"history/outside-scope"> {
  const [first, ...others] = outside;
  const more = others.length === 0 ? "is" : `and ${others.length} more accounts are`;
  return outsideScope(open, `${first && formatRawAddress(first)} ${more} outside the scope of this index`);
}
