/** A network as its facts are written down in this program. */
export interface NetworkEntry {
  /** Root hash and file hash. */
  readonly zeroState: string;
  /** Seqno, root hash and file hash. */
  readonly initBlock: string;
  /** `host:port key`, each. */
  readonly liteServers: readonly string[];
}
