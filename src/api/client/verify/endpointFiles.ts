import { type V2File, v2Files } from "../../v2/list.ts";
import { v2Names } from "./clientNames.ts";
import { filesByName } from "./filesByName.ts";

/*
 * Where each endpoint is declared, so that a client loads only what it uses. It must not load all declarations for
 * that: the build puts the value in the place of this module.
 */

const fileOf = filesByName<V2File>(v2Files);

/** In the order of `v2Names`, which clients have at hand. */
export const endpointFiles = v2Names.map((name) => fileOf[name]);
