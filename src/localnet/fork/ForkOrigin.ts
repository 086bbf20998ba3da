import type { LiteServer } from "../../lite/server/LiteServer.ts";
import type { BlockIdExt } from "../../model/block/BlockId.ts";

/** The network that a fork continues, as it is reached. */
export interface ForkOrigin {
  /** What it is called in messages. */
  readonly name: string;
  readonly server: LiteServer;
  /** The newest masterchain block of the server, proved. */
  head(signal: AbortSignal): Promise<{ readonly block: BlockIdExt; readonly zeroState: BlockIdExt }>;
}
