import { cell } from "../../../src/cell/codec.ts";
import { Dictionary } from "../../../src/cell/dictionary.ts";
import { intKey } from "../../../src/cell/keys.ts";
import type { Config } from "../../../src/model/config/ConfigParams.ts";

/** A configuration without parameters. */
export const noConfig: Config = { params: new Dictionary(undefined, intKey(32), cell) };
