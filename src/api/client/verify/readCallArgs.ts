import { formatJson, type JsonInput } from "../../../lib/json.ts";
import { runAtOnce } from "../../../lib/sharing/steps.ts";
import type { Endpoint } from "../../declare/endpoint.ts";
import { findProperties, parseBody, type RequestArgs } from "../../declare/requestArgs.ts";
import type { V2Services } from "../../v2/declare.ts";
import { V2Reader } from "../../v2/V2Reader.ts";

/** The arguments of a call: as they are sent, and as the server decodes them. */
export interface CallArgs {
  readonly given: RequestArgs;
  readonly decoded: Readonly<Record<string, unknown>>;
}

/** Reads arguments as the server does: numbers that JSON writes as text, and no more. */
export function readCallArgs(endpoint: Endpoint<V2Services>, args: JsonInput): CallArgs {
  const given = findProperties(runAtOnce(parseBody(formatJson(args)))) ?? {};
  return { given, decoded: new V2Reader(endpoint.args).fromObject(given) };
}
