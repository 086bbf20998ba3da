/** Keeps one text: the newest key block that was proved. */
export interface TrustStore {
  /** The kept text; undefined before the first `save`. */
  load(): Promise<string | undefined> | string | undefined;
  save(text: string): Promise<void> | void;
}

/** A block as global configs have it, with hashes in base64. */
export interface ConfigBlock {
  readonly workchain: number;
  readonly shard: number | bigint | string;
  readonly seqno: number;
  readonly root_hash: string;
  readonly file_hash: string;
}

/** The part of a global config that says where trust begins; `init_block` may be any masterchain block. */
export interface TrustedConfig {
  readonly validator: { readonly zero_state: ConfigBlock; readonly init_block?: ConfigBlock };
}

/** How a client checks answers. */
export interface TrustOptions {
  /** A public network, or the global config of another one. */
  readonly trust: "mainnet" | "testnet" | TrustedConfig;
  /**
   * Where the newest proved key block is kept, so that the next proof is short: in memory (the default), in the
   * `localStorage` of a page, in a file, or elsewhere.
   */
  readonly store?: "memory" | "localStorage" | { readonly file: string } | TrustStore;
  /** How old the newest block of the server may be, in seconds by the clock of this machine; 60 by default. */
  readonly maxAge?: number;
}
