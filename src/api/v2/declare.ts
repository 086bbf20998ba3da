import { provableEndpointsOver } from "../declare/endpoint.ts";
import type { V2Services } from "./Services.ts";

/** Declares an endpoint of v2. */
export const endpoint = provableEndpointsOver<V2Services>();
