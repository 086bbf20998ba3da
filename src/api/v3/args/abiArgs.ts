import { Type } from "typebox";
import type { Abi } from "../../../contracts/abi/Abi.ts";
import { maxSentParts, parseAbi } from "../../../contracts/abi/parseAbi.ts";
import { isCoded } from "../../../lib/errors.ts";
import { type JsonObject, type JsonValue, parseJson } from "../../../lib/json.ts";
import type { OptionalArg } from "../../../lib/kit/arg.ts";
import type { WireArg } from "../../declare/endpoint.ts";
import { refusal } from "./refusals.ts";

type JsonArg<T, In> = OptionalArg<T | undefined> & WireArg<T | undefined, In>;

/** An object of a JSON body, or its text in a query. */
function objectOf(value: unknown, name: string): JsonObject | undefined {
  if (value === undefined || value === null) return undefined;
  const object = typeof value === "string" ? jsonOf(value, name) : value;
  if (typeof object !== "object" || object === null || Array.isArray(object)) throw refusal("badValue", { name });
  // Bodies are parsed JSON.
  return object as JsonObject;
}

function jsonOf(text: string, name: string): JsonValue {
  try {
    return parseJson(text);
  } catch (error) {
    if (isCoded(error)) throw refusal("badValue", { name });
    throw error;
  }
}

const schema = Type.Record(Type.String(), Type.Unknown());

/** Values by their names. */
export const objectArg: JsonArg<JsonObject, JsonObject> = {
  schema,
  required: false,
  allowed: "an object",
  decode: objectOf,
};

/** An ABI in the form of this API. */
export const abiArg: JsonArg<Abi, Abi> = {
  schema,
  required: false,
  allowed: "an ABI",
  decode: (value, name) => {
    const object = objectOf(value, name);
    return object && parseAbi(object, maxSentParts);
  },
};
