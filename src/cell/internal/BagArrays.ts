/** The arrays of a bag; position i of each belongs to cell i. */
export interface BagArrays {
  readonly bytes: Buffer;
  readonly count: number;
  /** First data byte of each cell. */
  readonly dataAt: Uint32Array;
  readonly bitLengths: Uint16Array;
  readonly kinds: Uint8Array;
  readonly masks: Uint8Array;
  readonly refCounts: Uint8Array;
  /** Four entries per cell. */
  readonly refs: Uint32Array;
  /** First hash slot of each cell, and one more entry for the end. */
  readonly slots: Uint32Array;
  readonly depths: Uint16Array;
  /** Offset of the hashes stored inside the bag, 0 for none; absent when no cell has any. */
  readonly storedAt: Uint32Array | undefined;
}
