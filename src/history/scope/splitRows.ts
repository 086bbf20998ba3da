import { groupBy } from "../../contracts/kit/groupBy.ts";
import type { Address } from "../../model/Address.ts";
import type { Hash } from "../../model/Hash.ts";
import { type EntityName, type EntityRows, entityList } from "../entities/indexedEntities.ts";
import type { BatchRows, TracePart } from "../store/write/BatchRows.ts";
import type { TraceDecisions } from "./decideTraces.ts";

/**
 * Divides the rows of a block: those of kept traces, those of each undecided one, and the rest, which is left out.
 * Blocks are kept, and so are open edges, which the next blocks need to find the trace of a message.
 */
export function splitRows(rows: BatchRows, decisions: TraceDecisions): BatchRows {
  const { kept, undecided, released, dropped, accounts } = decisions;
  const grouped = new GroupedRows(rows);
  const isKept = ({ traceId }: { readonly traceId: Hash }) => kept.has(traceId);
  const traces = rows.traces.flatMap((row) => {
    const open = undecided.get(row.traceId);
    return open === undefined ? [] : [{ ...row, ...open }];
  });
  return {
    ...rows,
    // Accounts of the zero states have no transaction: those in the scope are kept.
    ...grouped.collect([...kept], accounts),
    traces: rows.traces.filter(isKept),
    traceAccounts: rows.traceAccounts.filter(isKept),
    actions: rows.actions.filter(isKept),
    actionAccounts: rows.actionAccounts.filter(isKept),
    undecided: {
      traces,
      parts: traces.map(({ traceId }) => ({ traceId, rows: grouped.collect([traceId], []) })),
      kept: released,
      dropped,
    },
  };
}

/** The rows of a block by what they belong to: a trace, a transaction or an account. */
class GroupedRows {
  readonly #transactions: ReadonlyMap<Hash, BatchRows["transactions"]>;
  readonly #messages: ReadonlyMap<Hash, BatchRows["messages"][number]>;
  readonly #sent: ReadonlyMap<Hash | undefined, BatchRows["messages"]>;
  readonly #states: ReadonlyMap<Address, BatchRows["accountStates"]>;
  readonly #latest: ReadonlyMap<Address, BatchRows["latestAccountStates"]>;
  readonly #codes: ReadonlyMap<Hash | undefined, BatchRows["codes"][number]>;
  readonly #entities: readonly (readonly [EntityName, ReadonlyMap<Address, readonly object[]>])[];
  readonly #jettonTransfers: ReadonlyMap<Hash | undefined, BatchRows["jettonTransfers"]>;
  readonly #jettonBurns: ReadonlyMap<Hash | undefined, BatchRows["jettonBurns"]>;
  readonly #validatorEvents: ReadonlyMap<Hash, BatchRows["validatorEvents"]>;
  readonly #nftTransfers: ReadonlyMap<Hash | undefined, BatchRows["nftTransfers"]>;
  readonly #nominatorEvents: ReadonlyMap<Hash, BatchRows["nominatorPoolEvents"]>;
  readonly #poolValidatorEvents: ReadonlyMap<Hash, BatchRows["poolValidatorEvents"]>;

  constructor(rows: BatchRows) {
    this.#transactions = groupBy(rows.transactions, ({ traceId }) => traceId);
    this.#messages = new Map(rows.messages.map((row) => [row.hash, row]));
    this.#sent = groupBy(rows.messages, ({ outTxHash }) => outTxHash);
    this.#states = groupBy(rows.accountStates, ({ account }) => account);
    this.#latest = groupBy(rows.latestAccountStates, ({ account }) => account);
    this.#codes = new Map(rows.codes.map((row) => [row.hash, row]));
    this.#entities = entityList.map(([name, { account }]) => {
      const list: readonly object[] = rows.entities[name];
      return [name, groupBy(list, (row) => (row as Record<string, Address>)[account] as Address)];
    });
    this.#jettonTransfers = groupBy(rows.jettonTransfers, ({ traceId }) => traceId);
    this.#jettonBurns = groupBy(rows.jettonBurns, ({ traceId }) => traceId);
    this.#validatorEvents = groupBy(rows.validatorEvents, ({ txHash }) => txHash);
    this.#nftTransfers = groupBy(rows.nftTransfers, ({ traceId }) => traceId);
    this.#nominatorEvents = groupBy(rows.nominatorPoolEvents, ({ txHash }) => txHash);
    this.#poolValidatorEvents = groupBy(rows.poolValidatorEvents, ({ txHash }) => txHash);
  }

  /** The rows of traces with the states of their accounts, and of other accounts. */
  collect(traceIds: readonly Hash[], others: Iterable<Address>): TracePart {
    const transactions = traceIds.flatMap((id) => this.#transactions.get(id) ?? []);
    const accounts = [...new Set([...others, ...transactions.map(({ account }) => account)])];
    const messages = new Set(
      transactions.flatMap(({ hash, inMsgHash }) => [
        ...(inMsgHash === undefined ? [] : [this.#messages.get(inMsgHash)]),
        ...(this.#sent.get(hash) ?? []),
      ]),
    );
    const accountStates = accounts.flatMap((account) => this.#states.get(account) ?? []);
    const codes = new Set(accountStates.map(({ codeHash }) => codeHash));
    return {
      transactions,
      messages: [...messages].filter((row) => row !== undefined),
      accountStates,
      latestAccountStates: accounts.flatMap((account) => this.#latest.get(account) ?? []),
      codes: [...codes].flatMap((hash) => this.#codes.get(hash) ?? []),
      entities: this.#entitiesOf(accounts),
      jettonTransfers: traceIds.flatMap((id) => this.#jettonTransfers.get(id) ?? []),
      jettonBurns: traceIds.flatMap((id) => this.#jettonBurns.get(id) ?? []),
      nftTransfers: traceIds.flatMap((id) => this.#nftTransfers.get(id) ?? []),
      validatorEvents: transactions.flatMap(({ hash }) => this.#validatorEvents.get(hash) ?? []),
      nominatorPoolEvents: transactions.flatMap(({ hash }) => this.#nominatorEvents.get(hash) ?? []),
      poolValidatorEvents: transactions.flatMap(({ hash }) => this.#poolValidatorEvents.get(hash) ?? []),
    };
  }

  #entitiesOf(accounts: readonly Address[]): EntityRows {
    const found = this.#entities.map(([name, rows]) => [name, accounts.flatMap((account) => rows.get(account) ?? [])]);
    // Each list has rows of its own name.
    return Object.fromEntries(found) as EntityRows;
  }
}
