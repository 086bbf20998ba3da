/** A command for the process of readers. */
export type ReadersOrder =
  | { readonly kind: "open"; readonly port: number; readonly count: number; readonly isReading: boolean }
  | { readonly kind: "count" }
  | { readonly kind: "close" };

/** Events since the last count, and the time of the last one. */
export interface ReadersAnswer {
  readonly events: number;
  readonly lastAtMs: number;
}
