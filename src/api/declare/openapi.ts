import type { TSchema } from "typebox";
import { type Args, argsSchema } from "../../lib/kit/arg.ts";
import type { ApiVersion } from "./ApiVersion.ts";
import type { EndpointArg, EndpointArgs } from "./argument.ts";
import type { Endpoint, HttpMethod } from "./endpoint.ts";
import { exampleOf } from "./exampleOf.ts";
import { generatorForm } from "./generatorForms.ts";
import { describeProof } from "./proof.ts";

/** A JSON object of the document. */
type Json = Readonly<Record<string, unknown>>;

/** Puts a schema into the document. */
type Refer = (schema: unknown) => unknown;

const statusTexts: Readonly<Record<number, string>> = {
  400: "The request cannot be read",
  401: "No such API key",
  403: "The key is not for this network",
  404: "Not found",
  405: "Another HTTP method is needed",
  408: "The request did not arrive in time",
  409: "The contract is something else",
  413: "The body is too large",
  414: "The URL is too long",
  415: "The body is of a type that this path does not take",
  422: "An argument is missing or wrong",
  429: "Too many requests; Retry-After says when to come back",
  431: "The headers are too large",
  500: "The chain, a lite server or the contract said no",
  501: "The stack cannot be decoded",
  503: "Too busy, or not ready; Retry-After says when to come back",
  504: "No lite server answered in time",
  533: "The result is nested too deep",
  542: "No lite server fits, or an unsupported kind of stack entry",
};

const texts = new WeakMap<ApiVersion<never>, string>();

/** The text of the document of an API version, made once for all networks that serve it. */
export function openApiText<S>(apiVersion: ApiVersion<S>): string {
  const made = texts.get(apiVersion) ?? JSON.stringify(makeOpenApi(apiVersion));
  texts.set(apiVersion, made);
  return made;
}

/** The OpenAPI 3.1 document of an API version, made from the declarations. */
export function makeOpenApi<S>(apiVersion: ApiVersion<S>): Json {
  const schemas = new Map<string, unknown>();
  const refer: Refer = (schema) => liftSchemas(schema, schemas);
  const error = refer(apiVersion.errorSchema);
  const paths = new Map<string, Json>();
  for (const endpoint of apiVersion.endpoints) {
    const path = `/${endpoint.path}`;
    paths.set(path, { ...paths.get(path), ...describePath(apiVersion, endpoint, error, refer) });
  }
  addExamples(paths.values(), schemas);
  const rpc: [string, Json][] =
    apiVersion.rpcPath === undefined ? [] : [[apiVersion.rpcPath, describeRpc(apiVersion, error)]];
  return {
    openapi: "3.1.0",
    info: {
      title: apiVersion.title,
      version: apiVersion.version,
      description: `${apiVersion.about}\n\n${aboutTracing}`,
    },
    servers: [{ url: apiVersion.base }],
    security: [{}, { header: [] }, { query: [] }],
    tags: [...new Set(apiVersion.endpoints.map(({ tag }) => tag))].map((name) => ({ name })),
    paths: Object.fromEntries([...paths, ...rpc]),
    components: {
      schemas: Object.fromEntries(schemas),
      securitySchemes: {
        header: { type: "apiKey", in: "header", name: "X-API-Key" },
        query: { type: "apiKey", in: "query", name: "api_key" },
      },
    },
  };
}

const aboutTracing =
  "Add the header `X-Tongate-Trace: 1` to a request and headers of its answer give the lite server, the block, whether the answer came from the cache, whether it was proved, and the time of each step.";

function describePath<S>(apiVersion: ApiVersion<S>, endpoint: Endpoint<S>, error: unknown, refer: Refer): Json {
  const { name, tag, summary, description, isExtra, methods, args, result, statuses, isBare, proof } = endpoint;
  const inPath = pathArgs(endpoint);
  const inBody = Object.fromEntries(Object.entries(args).filter(([each]) => !inPath.includes(each)));
  const schema = refer(isBare ? result.schema : apiVersion.successSchema(result.schema));
  const shared = {
    tags: [tag],
    summary,
    description: [description, describeProof(proof), isExtra ? "Not part of the published interface." : ""]
      .filter((words) => words !== "")
      .join("\n\n"),
    responses: {
      200: { description: "The answer", ...cursorHeader(args), content: jsonContent(schema) },
      ...describeErrors([...apiVersion.statuses, ...statuses], error),
    },
  };
  const inputs: Readonly<Record<HttpMethod, Json>> = {
    GET: { operationId: operationId(name), parameters: describeParameters(endpoint, refer) },
    POST: {
      operationId: `${operationId(name)}Post`,
      ...(inPath.length > 0 && {
        parameters: describeParameters(endpoint, refer).filter((each) => each.in === "path"),
      }),
      requestBody: {
        required: Object.keys(inBody).length > 0,
        content: jsonContent(refer(describedArgs(inBody))),
      },
    },
  };
  return Object.fromEntries(methods.map((method) => [method.toLowerCase(), { ...inputs[method], ...shared }]));
}

/** `jetton/masters` is `jettonMasters` where a name must be an identifier. */
function operationId(name: string): string {
  return name.replace(/\/(\w)/g, (_all, letter: string) => letter.toUpperCase());
}

/** Names of the arguments in the path. */
export function pathArgs<S>({ path }: Endpoint<S>): readonly string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
}

function describeParameters<S>(endpoint: Endpoint<S>, refer: Refer): Json[] {
  const inPath = pathArgs(endpoint);
  return Object.entries(endpoint.args).map(([name, arg]) => ({
    name,
    in: inPath.includes(name) ? "path" : "query",
    required: arg.required || inPath.includes(name),
    description: describeArg(arg),
    schema: refer(arg.schema),
  }));
}

/** What an argument means and what it may be. */
function describeArg({ description, allowed, schema }: EndpointArg<unknown>): string {
  const { default: fallback } = schema as { readonly default?: unknown };
  const usual = fallback === undefined || fallback === "" ? "" : ` ${JSON.stringify(fallback)} when left out.`;
  return `${description} ${allowed.charAt(0).toUpperCase()}${allowed.slice(1)}.${usual}`;
}

function describeArgs(args: EndpointArgs): Args {
  const described = Object.entries(args).map(([name, arg]) => {
    return [name, { ...arg, schema: { ...arg.schema, description: describeArg(arg) } }];
  });
  return Object.fromEntries(described);
}

/** The arguments of an endpoint as one object, each with what it means. */
export function describedArgs(args: EndpointArgs): TSchema {
  return argsSchema(describeArgs(args));
}

/** Lists that can be read by cursor give the cursor of the next page in a header. */
function cursorHeader(args: Args): Json {
  if (!("cursor" in args)) return {};
  const description = "Give it as `cursor` for the next page. Absent on the last page.";
  return { headers: { "X-Next-Cursor": { description, schema: { type: "string" } } } };
}

/** Puts an example of its schema into every answer, when all schemas are known. */
function addExamples(paths: Iterable<Json>, schemas: ReadonlyMap<string, unknown>): void {
  for (const path of paths) {
    for (const operation of Object.values(path)) {
      const content = Object(operation).responses[200].content["application/json"];
      content.example = exampleOf(content.schema, schemas);
    }
  }
}

function describeErrors(statuses: readonly number[], error: unknown): Json {
  const sorted = [...new Set(statuses)].sort((a, b) => a - b);
  return Object.fromEntries(
    sorted.map((status) => [status, { description: statusTexts[status] ?? "An error", content: jsonContent(error) }]),
  );
}

function describeRpc<S>(apiVersion: ApiVersion<S>, error: unknown): Json {
  const { endpoints, statuses, rpcAliases = [] } = apiVersion;
  const elsewhere = rpcAliases.map((path) => ` Also answered by \`POST ${path}\` of this server.`).join("");
  const request = {
    type: "object",
    required: ["method"],
    properties: {
      method: { type: "string", enum: listPosted(endpoints), description: "The name of the method." },
      params: { type: "object", description: "The arguments of the method, by name." },
      id: { description: "Anything; comes back unchanged." },
      jsonrpc: { type: "string", examples: ["2.0"], description: "The version of JSON-RPC; comes back unchanged." },
    },
  };
  const answer = {
    type: "object",
    required: ["ok"],
    properties: {
      ok: { type: "boolean", description: "Whether the request succeeded." },
      result: { description: "The result of the method." },
      id: { description: "The id of the request." },
    },
  };
  return {
    post: {
      operationId: "jsonRPC",
      tags: ["rpc"],
      summary: "Any method by JSON-RPC.",
      description: `The answer is the method's own, with \`id\` and \`jsonrpc\` repeated. A list of at most 100 requests gives the list of their answers.${elsewhere}`,
      requestBody: {
        required: true,
        content: {
          "application/json": {
            schema: { anyOf: [request, { type: "array", items: request, maxItems: 100 }] },
            example: { id: "1", jsonrpc: "2.0", method: findPlain(endpoints), params: {} },
          },
        },
      },
      responses: {
        200: {
          description: "The method's answer",
          content: jsonContent({ anyOf: [answer, { type: "array", items: answer }] }),
        },
        ...describeErrors([...statuses, ...endpoints.flatMap((endpoint) => endpoint.statuses), 404, 405], error),
      },
    },
  };
}

/** A method of JSON-RPC without arguments. */
function findPlain(endpoints: readonly Endpoint<never>[]): string | undefined {
  return endpoints.find(({ args, methods }) => methods.includes("POST") && Object.keys(args).length === 0)?.name;
}

/** The methods of JSON-RPC: those that POST has. */
function listPosted(endpoints: readonly Endpoint<never>[]): readonly string[] {
  return endpoints.flatMap(({ name, methods }) => (methods.includes("POST") ? [name] : []));
}

function jsonContent(schema: unknown): Json {
  return { "application/json": { schema } };
}

/** A plain copy in which named schemas are components and are referenced. */
function liftSchemas(schema: unknown, found: Map<string, unknown>): unknown {
  if (Array.isArray(schema)) return schema.map((each) => liftSchemas(each, found));
  if (typeof schema !== "object" || schema === null) return schema;
  const { $id, $ref, ...rest } = generatorForm(schema as Json);
  if (typeof $ref === "string") return { $ref: `#/components/schemas/${$ref}` };
  if (typeof $id === "string" && found.has($id)) return { $ref: `#/components/schemas/${$id}` };
  if (typeof $id === "string") {
    // Registered before it is walked: a schema may contain itself.
    found.set($id, undefined);
  }
  const copy = Object.fromEntries(
    Object.entries(rest).map(([name, each]) => [
      name,
      name === "properties" ? liftFields(Object(each), found) : liftSchemas(each, found),
    ]),
  );
  if (typeof $id !== "string") return copy;
  found.set($id, copy);
  return { $ref: `#/components/schemas/${$id}` };
}

/** What a field means stands beside the reference to its schema, which others refer to as well. */
function liftFields(fields: Json, found: Map<string, unknown>): Json {
  const lifted = Object.entries(fields).map(([name, each]) => {
    const { description, ...schema } = Object(each) as Json;
    return [name, { ...Object(liftSchemas(schema, found)), description }];
  });
  return Object.fromEntries(lifted);
}
