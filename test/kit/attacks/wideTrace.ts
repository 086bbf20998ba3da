import { emptyCell } from "../../../src/cell/Builder.ts";
import { writeBoc } from "../../../src/cell/boc.ts";
import { storeCell } from "../../../src/cell/codec.ts";
import type { Database } from "../../../src/history/store/Database.ts";
import type { Row } from "../../../src/history/store/schema/Table.ts";
import { actions, messages, traces, transactions } from "../../../src/history/store/schema/tables.ts";
import { zeroHash } from "../../../src/model/Hash.ts";
import { TransactionDescription } from "../../../src/model/Transaction.ts";
import { loadRows } from "../history/loadRows.ts";
import { accountNamed, message, named, transaction, transactionRow } from "../history/traceBlocks.ts";

export interface WideTrace {
  readonly name: string;
  readonly transactions: number;
  /** How many transactions each one causes. */
  readonly fanOut: number;
  /** How many outbound external messages each one sends. */
  readonly logs: number;
}

const emptyBag = writeBoc(emptyCell);

/** The name of a transaction of a wide trace. */
export function nameInTrace({ name }: Pick<WideTrace, "name">, at: number): string {
  return `${name} ${at}`;
}

/** Writes only the row of a trace, which says how many transactions and messages it has. */
export async function writeTraceHead(database: Database, trace: WideTrace): Promise<void> {
  await database.write((session) => loadRows(session, traces, [traceRow(trace)]));
}

/** Writes the rows of a complete trace in which each transaction causes several, with an action for each. */
export async function writeWideTrace(database: Database, trace: WideTrace): Promise<void> {
  const rows = Array.from({ length: trace.transactions }, (_, at) => transactionAt(trace, at));
  await writeTraceHead(database, trace);
  await database.write(async (session) => {
    await loadRows(session, transactions, rows);
    for (let at = 0; at < trace.transactions; at++) await loadRows(session, messages, sentBy(trace, at));
    await loadRows(
      session,
      actions,
      rows.map((row, at) => actionOf(trace, row, at)),
    );
  });
}

function childrenOf({ transactions: all, fanOut }: WideTrace, at: number): number {
  return Math.max(0, Math.min(fanOut, all - 1 - at * fanOut));
}

function transactionAt(trace: WideTrace, at: number): Row<typeof transactions> {
  const name = nameInTrace(trace, at);
  const account = accountNamed(name);
  const received = message(`to ${name}`, undefined, account);
  const row = transactionRow(
    transaction({ name, account, lt: BigInt(at + 1), mcSeqno: 1, received }),
    named(nameInTrace(trace, 0)),
  );
  return { ...row, description: describe(childrenOf(trace, at) + trace.logs) };
}

function describe(messagesCreated: number): Uint8Array {
  const action = {
    ...{ success: true, valid: true, noFunds: false, statusChange: "unchanged" as const, resultCode: 0 },
    ...{ totalFwdFees: 1n, totalActionFees: 1n, resultArg: undefined, specialActions: 0, skippedActions: 0 },
    ...{ totalActions: messagesCreated, messagesCreated, actionListHash: zeroHash },
    totalMessageSize: { cells: 1, bits: 1 },
  };
  const description = {
    ...{ kind: "ordinary" as const, creditFirst: true, storage: undefined, credit: undefined },
    compute: { kind: "skipped" as const, reason: "noGas" as const },
    ...{ action, aborted: false, bounce: undefined, destroyed: false },
  };
  return writeBoc(storeCell(TransactionDescription, description));
}

/** The messages that a transaction sent, and the first of the trace. */
function sentBy(trace: WideTrace, at: number): readonly Row<typeof messages>[] {
  const own = Array.from({ length: childrenOf(trace, at) }, (_, child) =>
    messageRow(trace, at, child, nameInTrace(trace, at * trace.fanOut + 1 + child)),
  );
  const logs = Array.from({ length: trace.logs }, (_, log) => messageRow(trace, at, own.length + log));
  return [...(at === 0 ? [messageRow(trace, undefined, 0, nameInTrace(trace, 0))] : []), ...own, ...logs];
}

function messageRow(
  trace: WideTrace,
  sender: number | undefined,
  outIndex: number,
  receiver?: string,
): Row<typeof messages> {
  const from = sender === undefined ? undefined : nameInTrace(trace, sender);
  return {
    lt: BigInt((sender ?? 0) + 1),
    hash: named(receiver === undefined ? `log ${outIndex} of ${from}` : `to ${receiver}`),
    hashNorm: undefined,
    source: from === undefined ? undefined : accountNamed(from),
    destination: receiver === undefined ? undefined : accountNamed(receiver),
    ...{ value: 1n, valueExtra: undefined, fwdFee: 0n, ihrFee: 0n, extraFlags: undefined },
    createdLt: from === undefined ? undefined : BigInt((sender ?? 0) + 1),
    createdAt: 1,
    ...{ opcode: undefined, ihrDisabled: true, bounce: false, bounced: false, importFee: undefined },
    bodyHash: emptyCell.hash(),
    initHash: undefined,
    outTxHash: from === undefined ? undefined : named(from),
    outIndex: from === undefined ? undefined : outIndex,
    body: emptyBag,
    init: undefined,
  };
}

function traceRow(trace: WideTrace): Row<typeof traces> {
  const { transactions: nodes, logs } = trace;
  const first = nameInTrace(trace, 0);
  return {
    ...{ traceId: named(first), externalHash: named(`to ${first}`), externalHashNorm: undefined },
    ...{ mcSeqnoStart: 1, mcSeqnoEnd: 1, startLt: 1n, startUtime: 1, endLt: BigInt(nodes), endUtime: 1 },
    ...{ state: "complete", edges: nodes * (1 + logs), nodes, pendingEdges: 0, classificationState: "ok" },
  };
}

function actionOf(trace: WideTrace, { hash, account, lt }: Row<typeof transactions>, at: number): Row<typeof actions> {
  return {
    ...{ traceId: named(nameInTrace(trace, 0)), actionId: named(`action ${nameInTrace(trace, at)}`) },
    ...{ type: "call_contract", shownType: "call_contract", startLt: lt, endLt: lt, startUtime: 1, endUtime: 1 },
    ...{ traceEndLt: BigInt(trace.transactions), traceEndUtime: 1, traceMcSeqnoEnd: 1 },
    ...{ traceExternalHash: undefined, traceExternalHashNorm: undefined, success: true, ancestorTypes: [] },
    ...{ parentId: undefined, transactions: [hash], accounts: [account] },
    details: { source: account, destination: account, value: "1", opcode: "0x00000001" },
  };
}
