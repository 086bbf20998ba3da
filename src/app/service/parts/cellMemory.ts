import type { AppConfig } from "../../config.ts";
import type { NetworkPlan } from "../../NetworkPlan.ts";

type CellMemoryConfig = Pick<AppConfig, "cellCacheMegabytes">;

/**
 * Megabytes without the setting. A local network has few accounts that are asked for again: more would only be filled,
 * for hours, with what nobody asks for.
 */
const usualMegabytes = { local: 64, remote: 192 } as const;
type NetworkKind = keyof typeof usualMegabytes;

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
export function shareCellMemory({ cellCacheMegabytes }: CellMemoryConfig, kind: NetworkKind): CellMemory {
  const bytes = (cellCacheMegabytes ?? usualMegabytes[kind]) * 2 ** 20;
  return { index: bytes / 2, chain: bytes / 3, proofs: bytes / 12, live: bytes / 12 };
}

export function describeCellMemory(
  config: CellMemoryConfig,
  { name, kind }: Pick<NetworkPlan, "name" | "kind">,
): string {
  const megabytes = (bytes: number): number => Math.round(bytes / 2 ** 20);
  const { index, chain, proofs, live } = shareCellMemory(config, kind);
  const ofLocal = [`${megabytes(chain)} for blocks and states`, `${megabytes(proofs)} for proofs`];
  const parts = [
    `${megabytes(index)} for the index`,
    ...(kind === "local" ? ofLocal : []),
    `${megabytes(live)} for live answers`,
  ];
  return `${config.cellCacheMegabytes ?? usualMegabytes[kind]} MB for cached cells of ${name}: ${parts.join(", ")}`;
}
