/** What the process of readers is told to do. */
export type ReadersOrder =
  | {
      readonly kind: "open";
      readonly port: number;
      readonly path: string;
      readonly count: number;
      readonly isReading: boolean;
    }
  | { readonly kind: "count" }
  | { readonly kind: "close" };

/** Events since the last count, and when the last of them came. */
export interface ReadersAnswer {
  readonly events: number;
  readonly lastAtMs: number;
}
