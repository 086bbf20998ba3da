import { groupBy } from "../../contracts/kit/groupBy.ts";
import type { Address } from "../../model/Address.ts";
import type { Hash } from "../../model/Hash.ts";
import { type EntityName, type EntityRows, entityList } from "../entities/indexedEntities.ts";
import { type PartTableName, partTables, traceTables } from "../store/schema/blockTables.ts";
import type { IndexTable, PartOwner } from "../store/schema/indexTable.ts";
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
    ...Object.fromEntries(traceTables.map(([name]) => [name, rows[name].filter(isKept)])),
    undecided: {
      traces,
      parts: traces.map(({ traceId }) => ({ traceId, rows: grouped.collect([traceId], []) })),
      kept: released,
      dropped,
    },
  };
}

type Groups = ReadonlyMap<unknown, readonly object[]>;

/** The rows of a block by what they belong to: a trace, a transaction or an account. */
class GroupedRows {
  readonly #tables: ReadonlyMap<PartTableName, Groups>;
  readonly #sent: ReadonlyMap<Hash | undefined, BatchRows["messages"]>;
  readonly #entities: readonly (readonly [EntityName, Groups])[];

  constructor(rows: BatchRows) {
    this.#tables = new Map(partTables.map(([name, table]) => [name, groupRows(table, rows[name])]));
    this.#sent = groupBy(rows.messages, ({ outTxHash }) => outTxHash);
    this.#entities = entityList.map(([name, { table }]) => [name, groupRows(table, rows.entities[name])]);
  }

  /** The rows of traces with the states of their accounts, and of other accounts. */
  collect(traceIds: readonly Hash[], others: Iterable<Address>): TracePart {
    const transactions = this.#take("transactions", traceIds);
    const accounts = [...new Set([...others, ...transactions.map(({ account }) => account)])];
    const states = this.#take("accountStates", accounts);
    const messages = transactions.flatMap(({ hash, inMsgHash }) => [
      ...(inMsgHash === undefined ? [] : this.#take("messages", [inMsgHash]).slice(-1)),
      ...(this.#sent.get(hash) ?? []),
    ]);
    const owners: Readonly<Record<PartOwner, readonly unknown[]>> = {
      trace: traceIds,
      transaction: transactions.map(({ hash }) => hash),
      account: accounts,
      message: [],
      code: [...new Set(states.map(({ codeHash }) => codeHash))],
    };
    const parts = partTables.map(([name, { source }]) => [
      name,
      source.kind === "part" ? this.#take(name, owners[source.of]) : [],
    ]);
    // Each list has rows of its own name.
    return {
      ...(Object.fromEntries(parts) as TracePart),
      messages: [...new Set(messages)],
      entities: this.#entitiesOf(accounts),
    };
  }

  #take<Name extends PartTableName>(name: Name, owners: readonly unknown[]): BatchRows[Name] {
    const groups = this.#tables.get(name);
    return owners.flatMap((owner) => groups?.get(owner) ?? []) as unknown as BatchRows[Name];
  }

  #entitiesOf(accounts: readonly Address[]): EntityRows {
    const found = this.#entities.map(([name, rows]) => [name, accounts.flatMap((account) => rows.get(account) ?? [])]);
    return Object.fromEntries(found) as EntityRows;
  }
}

/** Rows by the column that names what they belong to. */
function groupRows({ source }: IndexTable, rows: readonly object[]): Groups {
  return groupBy(rows, (row) => source.kind === "part" && (row as Readonly<Record<string, unknown>>)[source.by]);
}
