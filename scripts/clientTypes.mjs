import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "./build.mjs";

/*
 * Writes the declarations of the clients from the same documents as the API pages. Declarations derived by the compiler
 * would import half of the program; these import nothing, so that type checking is fast.
 */

/** A JSON schema as a type. */
function typeOf(schema, indent = "") {
  if (schema === undefined || schema === true) return "unknown";
  if (schema.$ref !== undefined) return nameOf(schema.$ref.split("/").at(-1));
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((each) => JSON.stringify(each)).join(" | ");
  const union = schema.anyOf ?? schema.oneOf;
  if (union !== undefined) return [...new Set(union.map((each) => typeOf(each, indent)))].join(" | ");
  switch (schema.type) {
    case "string":
      return "string";
    case "integer":
    case "number":
      return "number";
    case "boolean":
      return "boolean";
    case "null":
      return "null";
    case "array":
      return `readonly (${typeOf(schema.items, indent)})[]`;
    case "object":
      return objectOf(schema, indent);
    default:
      return "unknown";
  }
}

function objectOf({ properties, required = [], patternProperties, additionalProperties }, indent) {
  if (properties === undefined) {
    const [value] = Object.values(patternProperties ?? {});
    return `{ readonly [name: string]: ${typeOf(value ?? additionalProperties, indent)} }`;
  }
  const inner = `${indent}  `;
  const lines = Object.entries(properties).map(([name, schema]) => {
    const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
    return `${comment(schema.description, inner)}${inner}readonly ${key}${required.includes(name) ? "" : "?"}: ${typeOf(schema, inner)};`;
  });
  return lines.length === 0 ? "{}" : `{\n${lines.join("\n")}\n${indent}}`;
}

function comment(text, indent) {
  return text === undefined || text === ""
    ? ""
    : `${indent}/** ${text.replaceAll("*/", "* /").replace(/\s+/g, " ")} */\n`;
}

const nameOf = (name) =>
  name.replace(/\W+(\w)/g, (_all, letter) => letter.toUpperCase()).replace(/^\w/, (each) => each.toUpperCase());

/** The accepted types of an argument: numbers also as text or bigint. */
function argOf(schema) {
  const type = typeOf(schema);
  if (type === "number") return "number | bigint | string";
  return schema?.pattern?.includes("[0-9]") ? `${type} | number | bigint` : type;
}

/** The methods of an API version, from its OpenAPI document. */
function methodsOf(document, unwrap) {
  return Object.entries(document.paths)
    .filter(([path]) => path !== "/jsonRPC")
    .map(([path, { get, post }]) => {
      const operation = get ?? post;
      const args = get === undefined ? bodyArgs(post) : queryArgs(get);
      const isNeeded = args.some(({ required }) => required);
      const fields = args.map(
        ({ name, required, type, about }) =>
          `${comment(about, "      ")}      readonly ${name}${required ? "" : "?"}: ${type}${required ? "" : " | undefined"};`,
      );
      const given = args.length === 0 ? "{ readonly [name: string]: never }" : `{\n${fields.join("\n")}\n    }`;
      const answer = typeOf(unwrap(operation.responses[200].content["application/json"].schema), "  ");
      const key = /^\w+$/.test(path.slice(1)) ? path.slice(1) : JSON.stringify(path.slice(1));
      return {
        name: path.slice(1),
        text: `${comment([operation.summary, operation.description].filter(Boolean).join(" "), "  ")}  ${key}(args${isNeeded ? "" : "?"}: ${given}, options?: CallOptions): Promise<${answer}>;`,
        args: given,
        answer,
      };
    });
}

function queryArgs({ parameters = [] }) {
  return parameters.map(({ name, required, schema, description }) => ({
    name,
    required: required === true,
    type: argOf(schema),
    about: description,
  }));
}

function bodyArgs({ requestBody }) {
  const { properties = {}, required = [] } = requestBody.content["application/json"].schema;
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    required: required.includes(name),
    type: argOf(schema),
    about: schema.description,
  }));
}

function schemasOf(document, skipped) {
  return Object.entries(document.components.schemas)
    .filter(([name]) => !skipped.includes(name))
    .map(([name, schema]) => `export type ${nameOf(name)} = ${typeOf(schema)};`)
    .join("\n\n");
}

const common = `/** What went wrong: \`code\` says whose fault it is, \`data\` has the URL and, where the server refused, its status and text. */
export declare class ApiError extends Error {
  readonly code: string;
  readonly kind: "caller" | "remote" | "ours";
  readonly data: { readonly url?: string; readonly status?: number; readonly error?: string };
}

export interface CallOptions {
  readonly signal?: AbortSignal;
}

export interface ClientOptions {
  readonly apiKey?: string;
  /** Sends the requests; the platform's own by default. */
  readonly fetch?: typeof fetch;
}
`;

/** Every action type with its details. */
async function actionKinds(folder) {
  const families = join(folder, "contracts", "families");
  const kinds = new Map();
  for (const path of readdirSync(families, { recursive: true, encoding: "utf8" }).filter((each) =>
    each.endsWith(".js"),
  )) {
    for (const value of Object.values(await import(pathToFileURL(join(families, path)).href))) {
      const isKind =
        typeof value?.type === "string" &&
        value.details?.schema !== undefined &&
        value.type !== "root" &&
        value.type !== "empty";
      if (isKind) kinds.set(value.type, [...(kinds.get(value.type) ?? []), value.details.schema]);
    }
  }
  return [...kinds].sort(([a], [b]) => (a < b ? -1 : 1));
}

function actionUnion(action, kinds) {
  const plain = { ...action, properties: { ...action.properties } };
  delete plain.properties.type;
  delete plain.properties.details;
  const details = kinds.map(
    ([type, schemas]) =>
      `  ${JSON.stringify(type)}: ${[...new Set(schemas.map((each) => typeOf(each, "  ")))].join(" | ")};`,
  );
  return `/** Details of actions, by type. */
export interface ActionDetails {
${details.join("\n")}
}

export interface ActionBase ${typeOf(plain)}

/** An action; \`type\` tells which details it has. */
export type Action = { [Type in keyof ActionDetails]: ActionBase & { readonly type: Type; readonly details: ActionDetails[Type] } }[keyof ActionDetails];`;
}

/** The request of a stream, as declared in the source; it refers to no other type. */
function requestOfWatch() {
  const source = readFileSync(join(root, "src/api/stream/watchStream.ts"), "utf8");
  const found = /^export interface WatchRequest \{.*?^\}\n/ms.exec(source);
  if (found === null) throw new Error("watchStream.ts declares no WatchRequest");
  return found[0];
}

const extras = (paged) => `
/** Lists that can be read page by page, with their arguments and items. */
export interface Pages {
${paged.map(({ name, args, answer }) => `  ${JSON.stringify(name)}: { args: ${args}; answer: ${answer} };`).join("\n")}
}

export type ItemOf<Answer> = { [Key in keyof Answer]: Answer[Key] extends readonly (infer Item)[] ? Item : never }[keyof Answer];

export type Finality = "pending" | "confirmed" | "finalized";

${requestOfWatch()}
export interface WatchBase {
  /** Only in finalized events: pass it as \`after\` to resume after this one. */
  readonly cursor?: string;
  readonly address_book?: { readonly [address: string]: AddressBookRow };
  readonly metadata?: { readonly [address: string]: AddressMetadata };
}

export type TraceEvent = WatchBase & {
  readonly type: "trace"; readonly finality: Finality; readonly trace_external_hash_norm: string; readonly trace: TraceNode;
  readonly transactions: { readonly [hash: string]: Transaction }; readonly actions: readonly Action[];
};

/** An event; \`type\` tells which fields it has. */
export type WatchEvent =
  | (WatchBase & { readonly type: "transactions"; readonly finality: Finality; readonly trace_external_hash_norm: string; readonly transactions: readonly Transaction[]; readonly partial?: true })
  | (WatchBase & { readonly type: "actions"; readonly finality: Finality; readonly trace_external_hash_norm: string; readonly actions: readonly Action[] })
  | TraceEvent
  | (WatchBase & { readonly type: "account_state_change"; readonly finality: Finality; readonly account: string; readonly state: AccountState })
  | (WatchBase & { readonly type: "jettons_change"; readonly finality: Finality; readonly jetton: { readonly address: string; readonly balance: string; readonly owner: string; readonly jetton: string; readonly last_transaction_lt: string; readonly code_hash: string | null; readonly data_hash: string | null } })
  | (WatchBase & { readonly type: "blocks"; readonly finality: Finality; readonly mc_block: Block; readonly transactions: number })
  | { readonly type: "messages"; readonly finality: Finality; readonly trace_external_hash_norm: string; readonly status: "received" | "accepted" | "pending" | "finalized" | "expired" | "refused"; readonly exit_code?: number; readonly cursor?: string }
  | { readonly type: "trace_invalidated"; readonly trace_external_hash_norm: string }
  | { readonly type: "replay_finished"; readonly cursor: string; readonly remaining_blocks?: number };

export interface WatchOptions extends CallOptions {
  /** Ends the iteration after this time. */
  readonly timeoutMs?: number;
}

export interface V3Extras {
  /** All items of a list; pages are fetched as they are read. */
  pages<Name extends keyof Pages>(name: Name, args?: Pages[Name]["args"], options?: CallOptions): AsyncGenerator<ItemOf<Pages[Name]["answer"]>>;
  /** Live events. After a lost connection it resumes after the last finalized event, without gaps or repeats. */
  watch(request: WatchRequest, options?: WatchOptions): AsyncGenerator<WatchEvent>;
  /** Sends an external message (base64) and waits for its whole trace. */
  sendAndWait(boc: string, options?: WatchOptions): Promise<TraceEvent>;
}
`;

/** Writes the declarations next to the compiled clients. */
export async function writeClientTypes(folder, target = folder) {
  const load = (path) => import(pathToFileURL(join(folder, path)).href);
  const { makeOpenApi } = await load("api/declare/openapi.js");
  const plain = (api) => JSON.parse(JSON.stringify(makeOpenApi(api)));
  const v2 = plain((await load("api/v2/envelope.js")).v2Api);
  const v3 = plain((await load("api/v3/envelope.js")).v3Api);
  const { pagedNames } = await load("api/declare/clientNames.js");
  const v2Methods = methodsOf(v2, ({ properties, ...bare }) => properties?.result ?? bare);
  writeFileSync(
    join(target, "api/declare/client.d.ts"),
    `${common}\n${schemasOf(v2, ["Error"])}\n\nexport interface Client {\n${v2Methods.map(({ text }) => text).join("\n")}\n}\n\n/** A client of v2. \`baseUrl\` ends before the method's name: \`…/api/v2\`. The object is inert: printing or awaiting it sends nothing. */\nexport declare function createClient(baseUrl: string, options?: ClientOptions): Client;\n`,
  );
  const v3Methods = methodsOf(v3, (schema) => schema);
  const { Action: action } = v3.components.schemas;
  const paged = v3Methods.filter(({ name }) => pagedNames.includes(name));
  writeFileSync(
    join(target, "api/v3/client.d.ts"),
    `${common}\n${schemasOf(v3, ["RequestError", "Action"])}\n\n${actionUnion(action, await actionKinds(folder))}\n${extras(paged)}\nexport interface V3Client extends V3Extras {\n${v3Methods.map(({ text }) => text).join("\n")}\n}\n\n/** A client of v3. \`baseUrl\` ends before the name: \`…/api/v3\`. The object is inert: printing or awaiting it sends nothing. */\nexport declare function createV3Client(baseUrl: string, options?: ClientOptions): V3Client;\n`,
  );
}

const [, script, folder] = process.argv;
if (script !== undefined && folder !== undefined && import.meta.url === pathToFileURL(script).href)
  await writeClientTypes(folder);
