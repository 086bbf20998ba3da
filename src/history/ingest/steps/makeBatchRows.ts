import type { InterpretedRows } from "../../meaning/Interpreter.ts";
import { splitRows } from "../../scope/splitRows.ts";
import type { PoolEventRows } from "../../store/schema/poolTables.ts";
import type { ElectionRows } from "../../store/schema/validatorTables.ts";
import type { BatchRows } from "../../store/write/BatchRows.ts";
import type { DecodedBatch } from "../decode/DecodedBatch.ts";
import { makeStakeEvents } from "../decode/elections/electionRows.ts";
import type { ReadAccounts } from "../states/AccountReader.ts";
import type { TraceStep } from "../traces/TraceMemory.ts";

/** What the steps made of one block. */
interface StepResults {
  readonly decoded: DecodedBatch;
  readonly accountRows: ReadAccounts["rows"];
  /** The changes of traces, with those that the decisions made. */
  readonly step: TraceStep;
  readonly interpreted: InterpretedRows;
  readonly elections: ElectionRows;
  readonly pools: PoolEventRows;
}

/** All rows of a block; those of traces outside the scope are left out or wait. */
export function makeBatchRows({ decoded, accountRows, step, interpreted, elections, pools }: StepResults): BatchRows {
  const { decisions } = interpreted;
  // Every property is named: a spread behind others adds each of its properties by itself.
  const rows: BatchRows = {
    mcSeqno: decoded.batch.mcSeqno,
    blocks: decoded.rows.blocks,
    shardState: decoded.rows.shardState,
    transactions: decoded.transactions.map(({ row }) => ({ traceId: step.traceIds.get(row.hash) ?? row.hash, ...row })),
    messages: decoded.rows.messages,
    openEdges: step.openEdges,
    closedEdges: step.closedEdges,
    accountStates: accountRows.accountStates,
    latestAccountStates: accountRows.latestAccountStates,
    codes: accountRows.codes,
    traces: interpreted.traces,
    traceAccounts: interpreted.traceAccounts,
    actions: interpreted.actions,
    actionAccounts: interpreted.actionAccounts,
    jettonTransfers: interpreted.jettonTransfers,
    jettonBurns: interpreted.jettonBurns,
    nftTransfers: interpreted.nftTransfers,
    entities: interpreted.entities,
    validatorEvents: makeStakeEvents(decoded),
    elections,
    nominatorPoolEvents: pools.nominatorPoolEvents,
    poolValidatorEvents: pools.poolValidatorEvents,
  };
  return decisions === undefined ? rows : splitRows(rows, decisions);
}
