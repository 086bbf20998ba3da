import type { PendingTraces } from "../../../chain/pending/PendingTraces.ts";
import type { AbiStore, CompileSource } from "../../../contracts/AbiLibrary.ts";
import type { ConfirmedTraces } from "../../../history/confirmed/ConfirmedTraces.ts";
import type { History } from "../../../history/queries/kit/History.ts";
import type { V2Services } from "../../v2/declare.ts";

/** The services of v3. */
export interface V3Services {
  readonly history: History;
  /** ABIs of one's own besides those of families; absent when there are none. */
  readonly abis?: Pick<AbiStore, "library"> | undefined;
  /** Compiles sources that came with ABIs; without it they are not compared with codes. */
  readonly compile?: CompileSource | undefined;
  /** The current chain, for endpoints in the style of v2; without it those are refused. */
  readonly live?: V2Services | undefined;
  /** Traces in shard blocks that the masterchain has not committed; absent when those are not followed. */
  readonly confirmed?: Pick<ConfirmedTraces, "find" | "listOf"> | undefined;
  /** Sent messages that are not on the chain yet; without it requests about them are refused. */
  readonly pending?: Pick<PendingTraces, "find" | "listOf" | "drop" | "resume"> | undefined;
}
