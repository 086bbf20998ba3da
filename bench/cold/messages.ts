/** What the lite server's process tells when it is ready. */
export interface LiteFacts {
  readonly port: number;
  /** Base64. */
  readonly publicKey: string;
  /** Accounts that exist, to be asked about. */
  readonly addresses: readonly string[];
  readonly head: HeadFacts;
}

/** The newest block, as text where JSON has no such number. */
export interface HeadFacts {
  readonly seqno: number;
  readonly rootHash: string;
  readonly fileHash: string;
  readonly genUtime: number;
  readonly zeroRootHash: string;
  readonly zeroFileHash: string;
}

/** What the service's process tells when it is ready. */
export interface ServiceFacts {
  readonly port: number;
  /** Where the same bytes come from a server that does nothing else. */
  readonly barePort: number;
}

/** What the service's process is asked. */
export type ServiceRequest =
  | { readonly kind: "resident" }
  | { readonly kind: "asked" }
  | { readonly kind: "own-times"; readonly count: number };

/** Its answers: bytes resident, queries asked upstream so far, milliseconds of queries that were not checked. */
export type ServiceAnswer = { readonly value: number } | { readonly times: readonly number[] };

/** What the load's process is told to do. */
export interface Load {
  readonly port: number;
  readonly paths: readonly string[];
  readonly count: number;
  readonly connections: number;
}

/** How long each of the requests took, in milliseconds, in no order, and how long all of them. */
export interface Loaded {
  readonly times: readonly number[];
  readonly wholeMs: number;
}
