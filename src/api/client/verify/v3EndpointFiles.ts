import { type V3File, v3Files } from "../../v3/list.ts";
import { filesByName } from "./filesByName.ts";

/* The same as `endpointFiles.ts`, for v3. */

export const fileOfV3Endpoint = filesByName<V3File>(v3Files);
