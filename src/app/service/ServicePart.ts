import type { AccessControl } from "../../api/access/Gatekeeper.ts";
import type { StreamRoutes } from "../../api/http/routes/StreamRoutes.ts";
import type { ServedVersion } from "../../api/http/ServedVersion.ts";
import type { Metrics } from "../../api/metrics.ts";
import type { ReadinessCheck } from "../../api/readiness.ts";
import type { NetworkModules, OpenNetwork, WelcomeLine } from "./OpenNetwork.ts";
import type { LiveParts } from "./openLive.ts";

/** What the parts of one network's service share. */
export interface PartModules extends NetworkModules {
  readonly access: AccessControl;
  /** The chain as it is now. */
  readonly live: LiveParts;
  readonly metrics: Metrics;
  readonly nextId: () => string;
  readonly isDraining: () => boolean;
}

/** A part of the service of one network. */
export interface ServicePart {
  readonly generations: readonly ServedVersion[];
  /** Answers that do not end. */
  readonly streams?: readonly StreamRoutes[];
  /** What must be well before this part can answer. */
  readonly checks: readonly ReadinessCheck[];
  readonly links: readonly { readonly path: string; readonly text: string }[];
  /** What a page says of it now, each by its name. */
  readonly facts?: () => readonly (readonly [name: string, value: string])[];
  /** Accounts to begin with, by name. */
  readonly accounts?: () => readonly (readonly [name: string, address: string])[];
  /** First requests to copy. */
  readonly examples?: (origin: string) => readonly string[];
  /** What people are told of it when it is served under an address. */
  readonly welcome?: (origin: string) => readonly WelcomeLine[];
  close(): Promise<void>;
}

/** Opens a part over a network that runs; it is closed before the network is. */
export type OpenPart = (network: OpenNetwork, modules: PartModules) => Promise<ServicePart>;
