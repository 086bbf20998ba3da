import { CellError } from "../../cell/base/errors.ts";
import type { Cell } from "../../cell/Cell.ts";
import { type Codec, cell, loadCell } from "../../cell/codec.ts";
import { Dictionary } from "../../cell/dictionary.ts";
import { intKey } from "../../cell/keys.ts";
import type { Slice } from "../../cell/Slice.ts";
import { ModelError } from "../errors.ts";

/** Parameter numbers are signed: negative ones have no assigned meaning. */
export const paramKey = intKey(32);

/** The tree is the referenced cell itself and is read on demand, so that a proof may leave it out. */
export const paramsTree: Codec<Dictionary<number, Cell>> = {
  load: (slice) => new Dictionary(slice.loadRef(), paramKey, cell),
  store: (builder, dict) => {
    if (dict.root === undefined) throw new CellError("cell/dictionary", "a configuration without parameters");
    builder.storeRef(dict.root);
  },
};

/** The parameters of a configuration. */
interface ParamsTree {
  readonly params: Dictionary<number, Cell>;
}

/** Reads `ConfigParams` without the address of their account. */
export function loadConfig(slice: Slice): ParamsTree {
  return { params: paramsTree.load(slice.skip(256)) };
}

/** A parameter whose codec the caller has: `findConfigParam` loads those of all parameters. */
export function findParam<T>(config: ParamsTree, id: number, codec: Codec<T>): T | undefined {
  const param = config.params.find(id);
  return param === undefined ? undefined : loadCell(codec, param);
}

/** The same of one that must be there. */
export function getParam<T>(config: ParamsTree, id: number, codec: Codec<T>): T {
  const param = findParam(config, id, codec);
  if (param === undefined) throw new ModelError("model/value", `the configuration has no parameter ${id}`);
  return param;
}
