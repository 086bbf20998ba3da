import type { AccessControl } from "../../../api/access/Gatekeeper.ts";
import type { ServedVersion } from "../../../api/http/ServedVersion.ts";
import type { StreamRoutes } from "../../../api/http/server/StreamRoutes.ts";
import type { Metrics } from "../../../api/metrics.ts";
import type { ReadinessCheck } from "../../../api/readiness.ts";
import type { NetworkModules, OpenNetwork, WelcomeLine } from "./OpenNetwork.ts";
import type { LiveParts } from "./openLive.ts";
import type { IndexPosition } from "./statusLine.ts";

/** Modules shared by the parts of one network's service. */
export interface PartModules extends NetworkModules {
  readonly access: AccessControl;
  /** The current chain. */
  readonly live: LiveParts;
  readonly metrics: Metrics;
  readonly nextId: () => string;
  readonly isDraining: () => boolean;
}

/** A part of the service of one network. */
export interface ServicePart {
  readonly versions: readonly ServedVersion[];
  /** Streaming answers. */
  readonly streams?: readonly StreamRoutes[];
  /** Routes of what is switched off: they only say so. */
  readonly refused?: readonly StreamRoutes[];
  /** Readiness checks of this part. */
  readonly checks: readonly ReadinessCheck[];
  readonly links: readonly { readonly path: string; readonly text: string }[];
  /** Facts for the status page, by name. */
  readonly facts?: () => readonly (readonly [name: string, value: string])[];
  /** How far its index is; only a part with an index has it. */
  readonly index?: () => IndexPosition;
  /** Example accounts, by name. */
  readonly accounts?: () => readonly (readonly [name: string, address: string])[];
  /** Example requests. */
  readonly examples?: (origin: string) => readonly string[];
  /** Lines of the start message. */
  readonly welcome?: (origin: string) => readonly WelcomeLine[];
  close(): Promise<void>;
}

/** Opens a part over a running network; it is closed before the network. */
export type OpenPart = (network: OpenNetwork, modules: PartModules) => Promise<ServicePart>;
