/** Keeps one text: the newest key block that was proved. */
export interface TrustStore {
  /** The kept text; undefined before the first `save`. */
  load(): Promise<string | undefined> | string | undefined;
  save(text: string): Promise<void> | void;
}

/** A file that keeps it, for programs. */
export interface TrustFile {
  /** The path of the file. */
  readonly file: string;
}

/** A block as global configs have it, with hashes in base64. */
export interface ConfigBlock {
  /** The masterchain: -1. */
  readonly workchain: number;
  /** The whole masterchain: -9223372036854775808. */
  readonly shard: number | bigint | string;
  /** Number of the block in the masterchain. */
  readonly seqno: number;
  /** Hash of the block's root cell, in base64. */
  readonly root_hash: string;
  /** Hash of the block's file, in base64. */
  readonly file_hash: string;
}

/** The part of a global config that says where trust begins; `init_block` may be any masterchain block. */
export interface TrustedConfig {
  /** The zero state of the network, and the block from which it is trusted: the zero state if left out. */
  readonly validator: {
    /** The zero state, which identifies the network. */
    readonly zero_state: ConfigBlock;
    /** The block from which the network is trusted; the zero state if left out. */
    readonly init_block?: ConfigBlock;
  };
}

/** Who signed a block. */
export interface ProofSigners {
  /** How many validators signed. */
  readonly signatures: number;
  /** The weight of those that signed. */
  readonly weight: bigint;
  /** The weight of all validators of the block. */
  readonly totalWeight: bigint;
}

/** What proved an answer. */
export interface ProofReport {
  /** The method of the client. */
  readonly operation: string;
  /** Number of the masterchain block that the answer was proved against. */
  readonly seqno: number;
  /** Hash of the block's root cell, in hex. */
  readonly rootHash: string;
  /** When the block was made, in Unix seconds. */
  readonly madeAt: number;
  /** Number of the trusted block from which signatures lead there. */
  readonly since: number;
  /** How many validators signed the block, and their weight; undefined where it follows from a newer block. */
  readonly signedBy: ProofSigners | undefined;
  /** Bytes of the queries and answers in the proof. */
  readonly bytes: number;
  /** How long the check took, in milliseconds. */
  readonly ms: number;
}

/** How a client checks answers. */
export interface TrustOptions {
  /** A public network, or the global config of another one. */
  readonly trust: "mainnet" | "testnet" | TrustedConfig;
  /**
   * Where the newest proved key block is kept, so that the next proof is short: in memory (the default), in the
   * `localStorage` of a page, in a file, or elsewhere.
   */
  readonly store?: "memory" | "localStorage" | TrustFile | TrustStore;
  /** How old the newest block of the server may be, in seconds by the clock of this machine; 60 by default. */
  readonly maxAge?: number;
}

/** How a client of v2 checks answers. */
export interface ReceiverOptions extends TrustOptions {
  /** Called with what proved each answer. */
  readonly onProof?: (report: ProofReport) => void;
}
