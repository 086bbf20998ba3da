import { localEndpoints } from "../../local/localVersion.ts";
import { v2Endpoints } from "../../v2/list.ts";
import { v3Endpoints } from "../../v3/list.ts";

/*
 * What the clients need of the declarations. Clients must not load those, which need the whole program: the build puts
 * the values in the place of this module.
 */

export const v2Names = v2Endpoints.map(({ name }) => name);

/** Those whose answer has no envelope: GET asks for them, and JSON-RPC does not have them. */
export const bareNames = v2Endpoints.filter(({ isBare }) => isBare).map(({ name }) => name);

export const v3Names = v3Endpoints.map(({ name }) => name);

/** Those whose arguments go into a body. */
export const postedNames = v3Endpoints.filter(({ methods }) => methods.includes("POST")).map(({ name }) => name);

export const localNames: readonly string[] = localEndpoints.map(({ name }) => name);

/** Those that GET asks for; all others change the network. */
export const readNames: readonly string[] = localEndpoints
  .filter(({ methods }) => methods[0] === "GET")
  .map(({ name }) => name);
