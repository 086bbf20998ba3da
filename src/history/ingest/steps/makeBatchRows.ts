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
  const { decisions, ...meaning } = interpreted;
  const { traceIds, openEdges, closedEdges } = step;
  const rows: BatchRows = {
    mcSeqno: decoded.batch.mcSeqno,
    transactions: decoded.transactions.map(({ row }) => ({ traceId: traceIds.get(row.hash) ?? row.hash, ...row })),
    openEdges,
    closedEdges,
    ...decoded.rows,
    ...accountRows,
    ...meaning,
    validatorEvents: makeStakeEvents(decoded),
    elections,
    ...pools,
  };
  return decisions === undefined ? rows : splitRows(rows, decisions);
}
