import { type V2File, v2Files } from "../../v2/list.ts";
import { filesByName } from "./filesByName.ts";

/*
 * Where each endpoint is declared, so that a client loads only what it uses. It must not load all declarations for that:
 * the build puts the value in the place of this module.
 */

export const fileOfEndpoint = filesByName<V2File>(v2Files);
