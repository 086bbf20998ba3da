/** What the network's process is to be. */
export type NetworkKind =
  | { readonly kind: "recorded"; readonly folder: string }
  | { readonly kind: "local"; readonly blockMs: number; readonly transfersPerSecond: number };

/** What the network's process tells: how to reach it, and then of each block when it became the newest. */
export type NetworkNote =
  | { readonly kind: "ready"; readonly globalConfig: string; readonly headSeqno: number }
  | { readonly kind: "head"; readonly seqno: number; readonly atMs: number };

/** What the program's process tells: that it runs, and what it has used when it is asked. */
export type ProgramNote =
  | { readonly kind: "running"; readonly origins: readonly string[] }
  | { readonly kind: "used"; readonly used: Used };

/** What a process has used since it runs. */
export interface Used {
  /** All its threads together. */
  readonly cpuSeconds: number;
  /** The most that was resident since its start. */
  readonly megabytes: number;
}
