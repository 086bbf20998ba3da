import type { V2Services } from "../v2/Services.ts";

/** What the endpoints of v4 are answered from. */
export interface V4Services extends V2Services {
  /** Whether the network may begin anew under the same address, so that no cache may keep what it answers. */
  readonly isResettable: boolean;
}
