import type { PendingTraces } from "../../chain/pending/PendingTraces.ts";
import type { GatherFacts } from "../../chain/pending/pendingMeaning.ts";
import type { AbiStore } from "../../contracts/AbiLibrary.ts";
import type { History } from "../../history/queries/kit/History.ts";
import type { Random } from "../../lib/random.ts";
import type { V2Services } from "../v2/declare.ts";

/** What the index adds to an emulation. */
export interface EmulateIndex {
  readonly history: History;
  readonly gatherFacts: GatherFacts;
  readonly pending: Pick<PendingTraces, "findState">;
}

/** The services of emulation. */
export interface EmulateServices {
  readonly live: V2Services;
  readonly random: Random;
  /** ABIs of one's own, which describe bodies. */
  readonly abis?: Pick<AbiStore, "library"> | undefined;
  /** Without it there are no actions, no address book and no metadata. */
  readonly index?: EmulateIndex | undefined;
}
