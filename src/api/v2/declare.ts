import { endpointsOver } from "../declare/endpoint.ts";
import type { V2Services } from "./Services.ts";

/** Declares an endpoint of v2. */
export const endpoint = endpointsOver<V2Services>();
