/** What a lane may keep of what it has read, in bytes: all of it can be read again. */
export interface WorkerMemory {
  /** Of accounts as they were last seen, for the making of their next states. */
  readonly stateBytes: number;
  /** Of those as cells, as they were last read again. */
  readonly treeBytes: number;
  readonly codeBytes: number;
  /** Of accounts whose methods are run. */
  readonly accountBytes: number;
  readonly libraryBytes: number;
  /** Of blocks that transactions of traces under way came with. */
  readonly traceBytes: number;
}

/** What all lanes of an index may keep together when nobody says. */
export const usualMemory = 96 << 20;

/** Shares out what a lane may keep: most goes to what is asked for again most often. */
export function shareMemory(bytes: number): WorkerMemory {
  return {
    stateBytes: bytes / 4,
    treeBytes: bytes / 12,
    codeBytes: bytes / 6,
    accountBytes: bytes / 6,
    libraryBytes: bytes / 12,
    traceBytes: bytes / 4,
  };
}
