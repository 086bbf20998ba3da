import type { AppConfig } from "../../config.ts";

type CellMemoryConfig = Pick<AppConfig, "cellCacheMegabytes">;

/** Memory for cached cells of one network, in bytes. */
export interface CellMemory {
  /** Accounts, codes and open traces of the index. */
  readonly index: number;
  /** Blocks and states of a local network. */
  readonly chain: number;
  /** Proofs that a local network sends again and again. */
  readonly proofs: number;
  /** Configurations, codes and checked proofs for live answers. */
  readonly live: number;
}

/** Divides the setting between the parts of a network. */
export function shareCellMemory({ cellCacheMegabytes }: CellMemoryConfig): CellMemory {
  const bytes = cellCacheMegabytes * 2 ** 20;
  return { index: bytes / 2, chain: bytes / 3, proofs: bytes / 12, live: bytes / 12 };
}

export function describeCellMemory(config: CellMemoryConfig): string {
  const megabytes = (bytes: number): number => Math.round(bytes / 2 ** 20);
  const { index, chain, proofs, live } = shareCellMemory(config);
  const parts = [
    `${megabytes(index)} for the index`,
    `${megabytes(chain)} for blocks and states of a local network`,
    `${megabytes(proofs)} for its proofs`,
    `${megabytes(live)} for live answers`,
  ];
  return `${config.cellCacheMegabytes} MB for cached cells of each network: ${parts.join(", ")}`;
}
