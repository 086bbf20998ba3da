import { formatPlain } from "../../lib/kit/deferredJson.ts";
import type { ApiVersion } from "../declare/ApiVersion.ts";
import type { Endpoint } from "../declare/endpoint.ts";
import { describedArgs, pathArgs } from "../declare/openapi.ts";

/** A tool as the Model Context Protocol lists it. */
export interface McpTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: unknown;
  readonly annotations: { readonly readOnlyHint: boolean; readonly openWorldHint: boolean };
}

/** A request over HTTP. */
export interface ToolRequest {
  /** Below the origin of the server, with its query. */
  readonly path: string;
  readonly method: "GET" | "POST";
  readonly body?: string;
}

/** A tool, and the request that it sends for its arguments. */
export interface ToolOperation {
  readonly tool: McpTool;
  /** Whether it sends or changes something. */
  readonly isWrite: boolean;
  request(args: Readonly<Record<string, unknown>>): ToolRequest;
}

type AnyVersion = Pick<ApiVersion<never>, "name" | "title" | "base" | "endpoints" | "rootPrefix" | "checkPost">;

/** The operations of an API version as tools. */
export function listOperations(version: AnyVersion): readonly ToolOperation[] {
  return version.endpoints
    .filter((endpoint) => !isAlias(version, endpoint))
    .map((endpoint) => operationOf(version, endpoint));
}

/** Paths of another program have an operation of ours behind them. */
function isAlias({ rootPrefix }: AnyVersion, { path }: Endpoint<never>): boolean {
  return rootPrefix !== undefined && path.startsWith(rootPrefix);
}

/** Sends something, or is a control that only some callers may use. */
function isWrite({ checkPost }: AnyVersion, { proof, methods }: Endpoint<never>): boolean {
  return (proof.by === "nothing" && proof.isWrite) || (checkPost !== undefined && !methods.includes("GET"));
}

function operationOf(version: AnyVersion, endpoint: Endpoint<never>): ToolOperation {
  const { name, title, base } = version;
  const { args, summary, description, methods } = endpoint;
  const isPosted = methods.includes("POST");
  const writes = isWrite(version, endpoint);
  return {
    isWrite: writes,
    tool: {
      name: `${name}_${endpoint.name}`.replace(/[^A-Za-z0-9_-]/g, "_"),
      title: `${title}: ${endpoint.name}`,
      description: [summary, description].filter((each) => each !== "").join("\n\n"),
      inputSchema: describedArgs(args),
      annotations: { readOnlyHint: !writes, openWorldHint: true },
    },
    request: (given) => {
      const inPath = pathArgs(endpoint);
      const path = endpoint.path.replace(/\{(\w+)\}/g, (_all, each: string) => encodeURIComponent(String(given[each])));
      const rest = Object.entries(given).filter(([each]) => !inPath.includes(each));
      return isPosted
        ? { method: "POST", path: `${base}/${path}`, body: formatPlain(Object.fromEntries(rest)) }
        : { method: "GET", path: `${base}/${path}?${queryOf(rest)}` };
    },
  };
}

function queryOf(given: readonly (readonly [name: string, value: unknown])[]): string {
  const pairs = given.flatMap(([name, value]) => {
    const values: readonly unknown[] = Array.isArray(value) ? value : value === undefined ? [] : [value];
    return values.map((each): [string, string] => [name, String(each)]);
  });
  return new URLSearchParams(pairs).toString();
}
