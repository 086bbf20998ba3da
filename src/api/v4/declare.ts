import { provableEndpointsOver } from "../declare/endpoint.ts";
import type { V2Services } from "../v2/declare.ts";

/** The services of v4. */
export interface V4Services extends V2Services {
  /** Whether the network may be recreated under the same address, so that caches must not keep answers. */
  readonly isResettable: boolean;
}

/** Declares an endpoint of v4. */
export const endpoint = provableEndpointsOver<V4Services>();
