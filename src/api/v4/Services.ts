import type { V2Services } from "../v2/Services.ts";

/** The services of v4. */
export interface V4Services extends V2Services {
  /** Whether the network may be recreated under the same address, so that caches must not keep answers. */
  readonly isResettable: boolean;
}
