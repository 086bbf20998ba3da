import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import * as readyAbis from "../src/api/client/contract/readyAbis.ts";
import type { ApiVersion } from "../src/api/declare/ApiVersion.ts";
import { makeOpenApi } from "../src/api/declare/openapi.ts";
import { makeLocalApi } from "../src/api/local/localVersion.ts";
import { v2Api } from "../src/api/v2/envelope.ts";
import { v3Api } from "../src/api/v3/envelope.ts";
import { typeVersions } from "../src/contracts/engine/declareFamily.ts";
import { families } from "../src/contracts/registry.ts";
import { comment, fieldsOf, nameOf, type Schema, typeOf, unionOf } from "./schemaType.ts";
import { type PagedList, streamTypes } from "./streamTypes.ts";

/*
 * Makes the declarations of the clients from the same documents as the API pages. Declarations derived by the compiler
 * would import half of the program; these import nothing, so that type checking is fast.
 */

interface Content {
  readonly content: { readonly "application/json": { readonly schema: Schema } };
}

interface Parameter {
  readonly name: string;
  readonly required: boolean;
  readonly schema: Schema;
  readonly description?: string | undefined;
}

interface Operation {
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content;
  readonly responses: { readonly 200: Content };
}

/** The parts of an OpenAPI document that declarations are made of. */
interface ApiDocument {
  readonly paths: Readonly<Record<string, { readonly get?: Operation; readonly post?: Operation }>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

interface Method extends PagedList {
  readonly text: string;
  readonly isPaged: boolean;
}

/** The values of a document or schema, as a reader of its JSON finds them. */
const plain = <T>(value: unknown) => JSON.parse(JSON.stringify(value)) as T;

const documentOf = <S>(api: ApiVersion<S>) => plain<ApiDocument>(makeOpenApi(api));

/** The methods of an API version. */
function methodsOf({ paths }: ApiDocument, unwrap: (answer: Schema) => Schema): readonly Method[] {
  return Object.entries(paths).flatMap(([path, { get, post }]) => {
    const operation = get ?? post;
    return path === "/jsonRPC" || operation === undefined ? [] : [methodOf(path.slice(1), operation, unwrap)];
  });
}

function methodOf(name: string, operation: Operation, unwrap: (answer: Schema) => Schema): Method {
  const parameters = operation.parameters ?? bodyParameters(operation);
  const fields = parameters.map(({ name, required, schema, description }) => ({
    name: required ? name : `${name}?`,
    type: required ? argOf(schema) : `${argOf(schema)} | undefined`,
    about: description,
  }));
  const args = fields.length === 0 ? "{ readonly [name: string]: never }" : fieldsOf(fields, "    ");
  const answer = typeOf(unwrap(operation.responses[200].content["application/json"].schema), "  ");
  const key = /^\w+$/.test(name) ? name : JSON.stringify(name);
  const given = parameters.some(({ required }) => required) ? "args" : "args?";
  const about = comment([operation.summary, operation.description].filter(Boolean).join(" "), "  ");
  const isPaged = parameters.some((each) => each.name === "cursor");
  return {
    name,
    args,
    answer,
    isPaged,
    text: `${about}  ${key}(${given}: ${args}, options?: CallOptions): Promise<${answer}>;`,
  };
}

function bodyParameters({ requestBody }: Operation): readonly Parameter[] {
  const { properties = {}, required = [] } = requestBody?.content["application/json"].schema ?? {};
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    schema,
    required: required.includes(name),
    description: schema.description,
  }));
}

/** The accepted types of an argument: numbers also as text or bigint. */
function argOf(schema: Schema): string {
  const type = typeOf(schema);
  if (type === "number") return "number | bigint | string";
  return schema.pattern?.includes("[0-9]") ? `${type} | number | bigint` : type;
}

function schemasOf({ components }: ApiDocument, skipped: readonly string[]): string {
  return Object.entries(components.schemas)
    .filter(([name]) => !skipped.includes(name))
    .map(([name, schema]) => `export type ${nameOf(name)} = ${typeOf(schema)};`)
    .join("\n\n");
}

const common = `/** What went wrong: \`code\` says whose fault it is, \`data\` has the URL and, where the server refused, its status and text. */
export declare class ApiError extends Error {
  /**
   * \`api/refused\` when the server said no, \`api/unreachable\` when there was no answer, with the reason in
   * \`cause\`; of \`sendAndWait\`, \`api/message\` when the chain does not take the message, \`api/no-trace\` when its
   * trace did not come in time.
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

/** The declaration of an action type. */
interface ActionKind {
  readonly type: string;
  readonly details: { readonly schema: Schema };
}

function isKind(value: unknown): value is ActionKind {
  const { type, details } = Object(value);
  return typeof type === "string" && details?.schema !== undefined;
}

/** The action types that an export is, or has as its parts: those of an exchange are declared together. */
function kindsOf(exported: unknown): readonly ActionKind[] {
  return isKind(exported) ? [exported] : Object.values(Object(exported)).filter(isKind);
}

/** The action types that the modules of a folder export. */
async function kindsIn(name: "engine" | "families"): Promise<readonly ActionKind[]> {
  const folder = join(import.meta.dirname, "../src/contracts", name);
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) => /\.[jt]s$/.test(path));
  const modules = await Promise.all(paths.map((path) => import(pathToFileURL(join(folder, path)).href)));
  return modules.flatMap((each) => Object.values(each).flatMap(kindsOf));
}

/** Every action type with its details, in the order of their names. */
async function listKinds(): Promise<ReadonlyMap<string, readonly Schema[]>> {
  const named = new Set(families.flatMap(({ types }) => typeVersions.flatMap((version) => types[version] ?? [])));
  // The engine also has kinds that are never shown.
  const plainKinds = (await kindsIn("engine")).filter(({ type }) => named.has(type));
  const kinds = new Map<string, Schema[]>();
  for (const { type, details } of [...plainKinds, ...(await kindsIn("families"))])
    kinds.set(type, [...(kinds.get(type) ?? []), plain<Schema>(details.schema)]);
  return new Map([...kinds].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function actionUnion(action: Schema, kinds: ReadonlyMap<string, readonly Schema[]>): string {
  const { type: _type, details: _details, ...properties } = action.properties ?? {};
  const details = [...kinds].map(([type, schemas]) => `  ${JSON.stringify(type)}: ${unionOf(schemas, "  ")};`);
  return `/** Details of actions, by type. */
export interface ActionDetails {
${details.join("\n")}
}

export interface ActionBase ${typeOf({ ...action, properties })}

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
function requestOfWatch(root: string): string {
  const source = readFileSync(join(root, "src/api/client/watchStream.ts"), "utf8");
  const found = /^export interface WatchRequest \{.*?^\}\n/ms.exec(source);
  if (found === null) throw new Error("watchStream.ts declares no WatchRequest");
  return found[0];
}

const unprovedError = `/** An answer that this client does not believe; the message says why and what to do. */
export declare class UnprovedError extends Error {
  /** The reason, such as \`verify/old-head\`; docs/proofs.md lists them. */
  readonly code: \`verify/\${string}\`;
  /** Whose fault it is. */
  readonly kind: "caller" | "remote" | "ours";
  /** Of \`verify/old-head\` and \`verify/clock\`: the age of the newest block in seconds, and the limit. */
  readonly data: {
    /** The age of the newest block in seconds. */
    readonly age?: number;
    /** Its limit. */
    readonly maxAge?: number;
  };
}

export interface V2ClientOptions extends ClientOptions {
  /** Checks every answer against a trusted block, so that a server cannot lie. */
  readonly verify?: ReceiverOptions;
}
`;

const provedV3 = `
import type { ReceiverOptions } from "./client.js";

export { UnprovedError } from "./client.js";

/** What is proved of an answer: fields may be missing that only the index has. */
export type Proved<T> = T extends readonly (infer Item)[] ? readonly Proved<Item>[] : T extends object ? { readonly [Field in keyof T]?: Proved<T[Field]> } : T;

/** The methods of a client that checks proofs; streams have none. */
export type ProvedV3Client = {
  readonly [Name in Exclude<keyof V3Client, keyof V3Extras>]: V3Client[Name] extends (...given: infer Given) => Promise<infer Answer> ? (...given: Given) => Promise<Proved<Answer>> : never;
} & {
  /** All items of a list, page by page, each proved. */
  pages<Name extends keyof Pages>(name: Name, args?: Pages[Name]["args"], options?: CallOptions): AsyncGenerator<Proved<ItemOf<Pages[Name]["answer"]>>>;
};

export interface ProvedV3Options extends ClientOptions {
  /** Checks every answer against a trusted block, so that a server cannot lie. */
  readonly verify: ReceiverOptions;
}
`;

/** How a client checks answers, as declared in the source; it refers to no other type. */
function trustTypes(root: string): string {
  return readFileSync(join(root, "src/api/client/verify/TrustOptions.ts"), "utf8");
}

/** ABIs and contracts by them, as declared in the sources; they refer to each other only. */
function contractTypes(root: string): string {
  const paths = ["src/contracts/abi/Abi.ts", "src/api/client/contract/TypedContract.ts"];
  const texts = paths.map((path) => readFileSync(join(root, path), "utf8").replace(/^import .*?;\n/gms, ""));
  return texts.join("\n");
}

/** Ready-made ABIs with the types of their values, so that contracts have those of their methods. */
function abiTypes(): string {
  const lines = Object.entries(readyAbis).map(
    ([name, abi]) => `/** The ABI of \`${abi.name}\`. */\nexport declare const ${name}: ${typeOfValue(abi)};\n`,
  );
  return lines.join("\n");
}

/** The type of this very value, as `as const` gives it. */
function typeOfValue(value: unknown): string {
  if (Array.isArray(value)) return `readonly [${value.map(typeOfValue).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).filter(([, each]) => each !== undefined);
  return `{ ${fields.map(([name, each]) => `readonly ${JSON.stringify(name)}: ${typeOfValue(each)}`).join("; ")} }`;
}

const contractMethod: Pick<Method, "text"> = {
  text: `  /** A contract with methods and types of its ABI, given inline or \`as const\`. What it needs is loaded when it is used. */
  contract<const A extends Abi>(address: string, abi: A): Promise<TypedContract<A>>;`,
};

/** What test suites import: the interfaces of the source, which refer to the local client only. */
function testingTypes(root: string): string {
  const source = readFileSync(join(root, "src/app/testing/startLocalNetwork.ts"), "utf8");
  const interfaces = source.match(/^(?:\/\*\* .*\n)?export interface .*?^\}\n/gms) ?? [];
  const [starts = ""] = /^\/\*\* Starts .*\n/m.exec(source) ?? [];
  return `import type { LocalClient } from "../../api/client/localClient.js";

${interfaces.join("\n")}
${starts}export declare function startLocalNetwork(options?: LocalNetworkOptions): Promise<LocalNetwork>;
`;
}

interface ClientParts {
  /** The interface of the client, with what it extends. */
  readonly type: string;
  readonly types: readonly string[];
  readonly methods: readonly Pick<Method, "text">[];
  /** What creates the client: its comment and its signature. */
  readonly creates: string;
}

const clientOf = ({ type, types, methods, creates }: ClientParts) => `${[common, ...types].join("\n")}
export interface ${type} {
${methods.map(({ text }) => text).join("\n")}
}

${creates}
`;

const inert = "The object is inert: printing or awaiting it sends nothing.";

const lightTypes = `import type { Client, ClientOptions, TrustOptions } from "./client.js";

export { UnprovedError } from "./client.js";

export interface LightOptions extends ClientOptions, TrustOptions {}

/**
 * A client with the methods of v2 that needs lite servers over HTTP and no other API: it checks their proofs from a
 * trusted block on, and computes every result itself. \`baseUrl\` ends before the name: \`…/api/lite/v1\`. ${inert}
 */
export declare function createLightClient(baseUrl: string, options: LightOptions): Client;
`;

/** The declarations of all clients, by their paths in the package. Sources are read below `root`. */
export async function formatClientTypes(root: string): Promise<Readonly<Record<string, string>>> {
  const [v2, v3, local] = [documentOf(v2Api), documentOf(v3Api), documentOf(makeLocalApi("loopback"))];
  const methods = methodsOf(v3, (schema) => schema);
  const paged = methods.filter(({ isPaged }) => isPaged);
  return {
    "api/client/client.d.ts": clientOf({
      type: "Client",
      types: [schemasOf(v2, ["Error"]), "", unprovedError, trustTypes(root), contractTypes(root)],
      methods: [...methodsOf(v2, ({ properties, ...bare }) => properties?.result ?? bare), contractMethod],
      creates: `/** A client of v2. \`baseUrl\` ends before the method's name: \`…/api/v2\`. ${inert} */
export declare function createClient(baseUrl: string, options?: V2ClientOptions): Client;`,
    }),
    "api/client/v3Client.d.ts": clientOf({
      type: "V3Client extends V3Extras",
      types: [
        'import type { Abi, TypedContract } from "./client.js";\n',
        schemasOf(v3, ["RequestError", "Action"]),
        "",
        actionUnion(v3.components.schemas.Action ?? {}, await listKinds()),
        streamTypes(paged, requestOfWatch(root)),
        provedV3,
      ],
      methods: [...methods, contractMethod],
      creates: `/** A client of v3 whose methods resolve only with what was proved here; see docs/proofs.md. */
export declare function createV3Client(baseUrl: string, options: ProvedV3Options): ProvedV3Client;
/** A client of v3. \`baseUrl\` ends before the name: \`…/api/v3\`. ${inert} */
export declare function createV3Client(baseUrl: string, options?: ClientOptions): V3Client;`,
    }),
    "api/client/lightClient.d.ts": lightTypes,
    "api/client/localClient.d.ts": clientOf({
      type: "LocalClient",
      types: [schemasOf(local, ["Error"]), ""],
      methods: methodsOf(local, ({ properties, ...bare }) => properties?.result ?? bare),
      creates: `/** A client of a local network's controls. \`baseUrl\` ends before the name: \`…/localnet\`. ${inert} */
export declare function createLocalClient(baseUrl: string, options?: ClientOptions): LocalClient;`,
    }),
    "api/client/contract/readyAbis.d.ts": abiTypes(),
    "app/testing/startLocalNetwork.d.ts": testingTypes(root),
  };
}
