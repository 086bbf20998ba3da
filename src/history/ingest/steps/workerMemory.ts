/** Memory of a segment worker for cached data, in bytes: all of it can be read again. */
export interface WorkerMemory {
  /** Recent account states, from which the next states are derived. */
  readonly stateBytes: number;
  /** The same as cells, after they were parsed. */
  readonly treeBytes: number;
  readonly codeBytes: number;
  /** Accounts whose get-methods are run. */
  readonly accountBytes: number;
  readonly libraryBytes: number;
  /** Accounts as they were before. */
  readonly pastBytes: number;
  /** Blocks that hold transactions of open traces. */
  readonly traceBytes: number;
}

/** Default memory for all segment workers of an index. */
export const usualMemory = 96 << 20;

/** Divides the memory of a worker: the most frequently used cache gets most. */
export function shareMemory(bytes: number): WorkerMemory {
  return {
    stateBytes: bytes / 4,
    treeBytes: bytes / 12,
    codeBytes: bytes / 6,
    accountBytes: bytes / 6,
    libraryBytes: bytes / 12,
    pastBytes: bytes / 12,
    traceBytes: bytes / 6,
  };
}
