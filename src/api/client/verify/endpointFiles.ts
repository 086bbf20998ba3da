import { type V2File, v2Files } from "../../v2/list.ts";

/*
 * Where each endpoint is declared, so that a client loads only what it uses. It must not load all declarations for that:
 * the build puts the value in the place of this module.
 */

export const fileOfEndpoint: Readonly<Record<string, V2File | undefined>> = Object.fromEntries(
  (Object.keys(v2Files) as V2File[]).flatMap((file) => Object.values(v2Files[file]).map(({ name }) => [name, file])),
);
