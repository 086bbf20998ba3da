/**
 * What the machine's log tells that nothing else does. The log of instructions is complete (it is not cut), is always
 * written, and code cannot write into it.
 */
export interface VmLogMarks {
  /** The code got hold of the whole configuration dictionary, or of the registers it lies in. */
  readonly sawConfigRoot: boolean;
  /** A library cell was opened and the library was not there; which one is told for get-methods only. */
  readonly missedLibrary: boolean;
}

// CONFIGPARAM and CONFIGOPTPARAM are not here: they look one parameter up and do not hand out the dictionary.
const rootAccess = /^execute (?:CONFIGROOT|CONFIGDICT|GETPARAMLONG 9|PUSH c7|PUSHCTRX|GETGLOBVAR)$/m;
const libraryFailure = "failed to load library cell";

export function readVmLog(log: string): VmLogMarks {
  return { sawConfigRoot: rootAccess.test(log), missedLibrary: log.includes(libraryFailure) };
}
