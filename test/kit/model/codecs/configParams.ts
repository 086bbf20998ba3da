import type { Cell } from "../../../../src/cell/Cell.ts";
import { loadCell, storeCell } from "../../../../src/cell/codec.ts";
import {
  type ConfigParamId,
  type ConfigParams,
  type ConfigParamValue,
  configParam,
} from "../../../../src/model/config/ConfigParams.ts";

/** The configuration with a parameter set or replaced. */
export function setConfigParam<Id extends ConfigParamId>(
  config: ConfigParams,
  id: Id,
  value: ConfigParamValue<Id>,
): ConfigParams {
  return { ...config, params: config.params.set(id, storeCell<unknown>(configParam[id], value)) };
}

export function storeConfigParam(param: ConfigParam): Cell {
  return param.kind === "unknown" ? param.cell : storeCell<unknown>(configParam[param.id], param.value);
}

export function loadConfigParam(id: number, cell: Cell): ConfigParam {
  if (!isKnownParam(id)) return { kind: "unknown", id, cell };
  // The codec is the one for this id.
  return { kind: "known", id, value: loadCell<unknown>(configParam[id], cell) } as ConfigParam;
}

/** A decoded parameter, or the bare cell if the schema does not know its id. */
export type ConfigParam =
  | {
      [Id in ConfigParamId]: { readonly kind: "known"; readonly id: Id; readonly value: ConfigParamValue<Id> };
    }[ConfigParamId]
  | { readonly kind: "unknown"; readonly id: number; readonly cell: Cell };

export function isKnownParam(id: number): id is ConfigParamId {
  return Object.hasOwn(configParam, id);
}
