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
        isPaged: args.some(({ name }) => name === "cursor"),
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
  /**
   * \`api/refused\` when the server said no, \`api/unreachable\` when there was no answer, with the reason in \`cause\`; of
   * \`sendAndWait\`, \`api/message\` when the chain does not take the message, \`api/no-trace\` when its trace did not come in time.
   */
  readonly code: string;
  /** Whose fault it is. */
  readonly kind: "caller" | "remote" | "ours";
  /** The request, and what the server said. */
  readonly data: {
    /** The URL of the request. */
    readonly url?: string;
    /** The HTTP status of the answer. */
    readonly status?: number;
    /** The text of the server's error. */
    readonly error?: string;
    /** The normalized hash of a message that was sent. */
    readonly hash?: string;
    /** The exit code with which an account refused a message. */
    readonly exitCode?: number;
  };
}

export interface CallOptions {
  /** Cancels the call. */
  readonly signal?: AbortSignal;
}

export interface ClientOptions {
  /** Sent as \`X-API-Key\`. */
  readonly apiKey?: string;
  /** Sends the requests; the platform's own by default. */
  readonly fetch?: typeof fetch;
}
`;

/** Every action type with its details, from the modules of all families. */
function actionKinds(modules) {
  const kinds = new Map();
  for (const value of modules.flatMap((each) => Object.values(each))) {
    const isKind =
      typeof value?.type === "string" &&
      value.details?.schema !== undefined &&
      value.type !== "root" &&
      value.type !== "empty";
    if (!isKind) continue;
    const details = JSON.parse(JSON.stringify(value.details.schema));
    kinds.set(value.type, [...(kinds.get(value.type) ?? []), details]);
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
export type Action = {
  [Type in keyof ActionDetails]: ActionBase & {
    /** The type of the action: it tells which details there are. */
    readonly type: Type;
    /** What is particular to this type. */
    readonly details: ActionDetails[Type];
  };
}[keyof ActionDetails];`;
}

/** The request of a stream, as declared in the source; it refers to no other type. */
function requestOfWatch() {
  const source = readFileSync(join(root, "src/api/client/watchStream.ts"), "utf8");
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

/** How certain an event is: predicted, in a shard block, or in a block that the masterchain refers to. */
export type Finality = "pending" | "confirmed" | "finalized";

${requestOfWatch()}
export interface WatchBase {
  /** Only in finalized events: pass it as \`after\` to resume after this one. */
  readonly cursor?: string;
  /** Friendly forms and domains of the addresses in the event, by raw address; only on request. */
  readonly address_book?: { readonly [address: string]: AddressBookRow };
  /** Names, images and other facts of the tokens in the event, by raw address; only on request. */
  readonly metadata?: { readonly [address: string]: AddressMetadata };
}

${Object.entries(watchEvents)
  .map(
    ([name, { about, base = "WatchBase & ", fields }]) =>
      `/** ${about} */\nexport type ${name} = ${base}${eventType(fields)};`,
  )
  .join("\n\n")}

/** An event; \`type\` tells which fields it has. */
export type WatchEvent =
${Object.keys(watchEvents)
  .map((name) => `  | ${name}`)
  .join("\n")};

export interface WatchOptions extends CallOptions {
  /** Ends the iteration after this time. */
  readonly timeoutMs?: number;
}

export interface V3Extras {
  /** All items of a list; pages are fetched as they are read. */
  pages<Name extends keyof Pages>(name: Name, args?: Pages[Name]["args"], options?: CallOptions): AsyncGenerator<ItemOf<Pages[Name]["answer"]>>;
  /** Live events. After a lost connection it resumes after the last finalized event, without gaps or repeats. */
  watch(request: WatchRequest, options?: WatchOptions): AsyncGenerator<WatchEvent>;
  /**
   * Sends an external message (base64) and waits for its whole trace, for a minute by default. Throws ApiError when the
   * server or the account refuses the message, when it expires, and when the trace does not come in time.
   */
  sendAndWait(boc: string, options?: WatchOptions): Promise<TraceEvent>;
}
`;

const finality = ["finality", "Finality", "How certain the event is."];
const external = ["trace_external_hash_norm", "string", "The normalized hash of the message that began the trace."];
const kind = (type) => ["type", JSON.stringify(type), "The kind of event."];

/** The events of a stream: names of fields, their types and what they mean. */
const watchEvents = {
  TransactionsEvent: {
    about: "Transactions of the subscribed accounts, newest first.",
    fields: [
      ...[kind("transactions"), finality, external],
      ["transactions", "readonly Transaction[]", "The transactions, newest first."],
      ["partial?", "true", "Whether the trace goes on; only with `partial` in the request."],
    ],
  },
  ActionsEvent: {
    about: "Actions in which a subscribed account takes part.",
    fields: [...[kind("actions"), finality, external], ["actions", "readonly Action[]", "The actions, newest first."]],
  },
  TraceEvent: {
    about: "A whole trace.",
    fields: [
      ...[kind("trace"), finality, external],
      ["trace", "TraceNode", "The transactions as a tree."],
      ["transactions", "{ readonly [hash: string]: Transaction }", "The transactions, by hash."],
      ["actions", "readonly Action[]", "The actions, newest first."],
    ],
  },
  AccountStateEvent: {
    about: "A new state of a subscribed account.",
    fields: [
      ...[kind("account_state_change"), finality],
      ["account", "string", "The account."],
      ["state", "AccountState", "Its state after the block."],
    ],
  },
  JettonsEvent: {
    about: "A new balance of a jetton wallet.",
    fields: [...[kind("jettons_change"), finality], ["jetton", "JettonState", "The wallet after the block."]],
  },
  BlocksEvent: {
    about: "A masterchain block.",
    fields: [
      ...[kind("blocks"), finality],
      ["mc_block", "Block", "The block."],
      ["transactions", "number", "How many transactions it commits."],
    ],
  },
  MessagesEvent: {
    about: "What happens to a message that was sent through this server.",
    base: "",
    fields: [
      ...[kind("messages"), finality, external],
      [
        "status",
        '"received" | "accepted" | "pending" | "finalized" | "expired" | "refused"',
        "How far the message has come.",
      ],
      ["exit_code?", "number", "The exit code with which the account refused it."],
      ["cursor?", "string", "Only in finalized events: pass it as `after` to resume after this one."],
    ],
  },
  TraceInvalidatedEvent: {
    about: "Takes back all events of a trace that were not final.",
    base: "",
    fields: [kind("trace_invalidated"), external],
  },
  ReplayFinishedEvent: {
    about: "Says that the events before the subscription are sent.",
    base: "",
    fields: [
      kind("replay_finished"),
      ["cursor", "string", "Pass it as `after` to resume here."],
      ["remaining_blocks?", "number", "How many blocks are left when the replay is too long for one connection."],
    ],
  },
};

const eventType = (fields) =>
  `{\n${fields.map(([name, type, about]) => `${comment(about, "  ")}  readonly ${name}: ${type};`).join("\n")}\n}`;

/** A jetton wallet in an event. */
const jettonFields = [
  ["address", "string", "The jetton wallet."],
  ["balance", "string", "The balance, in the smallest units of the jetton."],
  ["owner", "string", "The owner."],
  ["jetton", "string", "The jetton, by its master."],
  ["last_transaction_lt", "string", "The logical time of the wallet's last transaction."],
  ["code_hash", "string | null", "The hash of the code cell."],
  ["data_hash", "string | null", "The hash of the data cell."],
];

/**
 * The declarations of both clients, from the API documents of v2 and v3 and the modules of all families of contracts.
 */
export function formatClientTypes({ v2, v3, families }) {
  const v2Methods = methodsOf(v2, ({ properties, ...bare }) => properties?.result ?? bare);
  const v3Methods = methodsOf(v3, (schema) => schema);
  const { Action: action } = v3.components.schemas;
  const paged = v3Methods.filter(({ isPaged }) => isPaged);
  const jettonState = `/** A jetton wallet in an event. */\nexport type JettonState = ${eventType(jettonFields)};`;
  return {
    v2: `${common}\n${schemasOf(v2, ["Error"])}\n\nexport interface Client {\n${v2Methods.map(({ text }) => text).join("\n")}\n}\n\n/** A client of v2. \`baseUrl\` ends before the method's name: \`…/api/v2\`. The object is inert: printing or awaiting it sends nothing. */\nexport declare function createClient(baseUrl: string, options?: ClientOptions): Client;\n`,
    v3: `${common}\n${schemasOf(v3, ["RequestError", "Action"])}\n\n${actionUnion(action, actionKinds(families))}\n\n${jettonState}\n${extras(paged)}\nexport interface V3Client extends V3Extras {\n${v3Methods.map(({ text }) => text).join("\n")}\n}\n\n/** A client of v3. \`baseUrl\` ends before the name: \`…/api/v3\`. The object is inert: printing or awaiting it sends nothing. */\nexport declare function createV3Client(baseUrl: string, options?: ClientOptions): V3Client;\n`,
  };
}

/** Writes the declarations next to the compiled clients. */
export async function writeClientTypes(folder, target = folder) {
  const load = (path) => import(pathToFileURL(join(folder, path)).href);
  const { makeOpenApi } = await load("api/declare/openapi.js");
  const plain = (api) => JSON.parse(JSON.stringify(makeOpenApi(api)));
  const paths = readdirSync(join(folder, "contracts/families"), { recursive: true, encoding: "utf8" });
  const modules = paths.filter((each) => each.endsWith(".js")).map((path) => load(`contracts/families/${path}`));
  const types = formatClientTypes({
    v2: plain((await load("api/v2/envelope.js")).v2Api),
    v3: plain((await load("api/v3/envelope.js")).v3Api),
    families: await Promise.all(modules),
  });
  writeFileSync(join(target, "api/client/client.d.ts"), types.v2);
  writeFileSync(join(target, "api/client/v3Client.d.ts"), types.v3);
}

const [, script, folder] = process.argv;
if (script !== undefined && folder !== undefined && import.meta.url === pathToFileURL(script).href)
  await writeClientTypes(folder);
