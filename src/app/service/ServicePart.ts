import type { Access } from "../../api/access/Gatekeeper.ts";
import type { Metrics } from "../../api/metrics.ts";
import type { ReadinessCheck } from "../../api/readiness.ts";
import type { ServedGeneration } from "../../api/ServedGeneration.ts";
import type { NetworkModules, OpenNetwork } from "./OpenNetwork.ts";

/** What the parts of one network's service share. */
export interface PartModules extends NetworkModules {
  readonly access: Access;
  readonly metrics: Metrics;
  readonly nextId: () => string;
  readonly isDraining: () => boolean;
}

/** A part of the service of one network. */
export interface ServicePart {
  readonly generations: readonly ServedGeneration[];
  /** What must be well before this part can answer. */
  readonly checks: readonly ReadinessCheck[];
  readonly links: readonly { readonly path: string; readonly text: string }[];
  close(): Promise<void>;
}

/** Opens a part over a network that runs; it is closed before the network is. */
export type OpenPart = (network: OpenNetwork, modules: PartModules) => Promise<ServicePart>;
