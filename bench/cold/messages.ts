/** Sent by the lite-server process when it is ready. */
export interface LiteFacts {
  readonly port: number;
  /** Base64. */
  readonly publicKey: string;
  /** Existing accounts for requests. */
  readonly addresses: readonly string[];
  readonly head: HeadFacts;
}

/** The newest block; bigints as text. */
export interface HeadFacts {
  readonly seqno: number;
  readonly rootHash: string;
  readonly fileHash: string;
  readonly genUtime: number;
  readonly zeroRootHash: string;
  readonly zeroFileHash: string;
}

/** Sent by the service process when it is ready. */
export interface ServiceFacts {
  readonly port: number;
  /** A server that only sends the same bytes. */
  readonly barePort: number;
}

/** A request to the service process. */
export type ServiceRequest =
  | { readonly kind: "resident" }
  | { readonly kind: "asked" }
  | { readonly kind: "own-times"; readonly count: number };

/** Its answers: resident bytes, upstream queries so far, or milliseconds of unchecked queries. */
export type ServiceAnswer = { readonly value: number } | { readonly times: readonly number[] };

/** A job for the load process. */
export interface Load {
  readonly port: number;
  readonly paths: readonly string[];
  readonly count: number;
  readonly connections: number;
}

/** The milliseconds of each request, unordered, and of the whole job. */
export interface Loaded {
  readonly times: readonly number[];
  readonly wholeMs: number;
}
