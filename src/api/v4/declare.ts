import { provableEndpointsOver } from "../declare/endpoint.ts";
import type { V4Services } from "./Services.ts";

/** Declares an endpoint of v4. */
export const endpoint = provableEndpointsOver<V4Services>();
