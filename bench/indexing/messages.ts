/** Which network the network process runs. */
export type NetworkKind =
  | { readonly kind: "recorded"; readonly folder: string }
  | { readonly kind: "local"; readonly blockMs: number; readonly transfersPerSecond: number }
  /** A chain that is made at once and then stands still. */
  | { readonly kind: "filled"; readonly rounds: number; readonly transfersPerRound: number };

/** Messages of the network process: how to reach it, then the time of each new head. */
export type NetworkNote =
  | { readonly kind: "ready"; readonly globalConfig: string; readonly headSeqno: number }
  | { readonly kind: "head"; readonly seqno: number; readonly atMs: number };

/** Messages of the program process: that it runs, and its resource usage on request. */
export type ProgramNote =
  | { readonly kind: "running"; readonly origins: readonly string[] }
  | { readonly kind: "used"; readonly used: Used };

/** Requests to the program process: to report its resource usage, or to start again with other options. */
export type ProgramRequest = { readonly kind: "used" } | { readonly kind: "restart"; readonly args: readonly string[] };

/** Resource usage of a process since the program in it was started. */
export interface Used {
  /** Of all threads. */
  readonly cpuSeconds: number;
  /** Peak resident memory. */
  readonly megabytes: number;
}
