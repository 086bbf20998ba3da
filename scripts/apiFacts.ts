/*
 * What an OpenAPI document promises, in a form in which two documents can be compared: OpenAPI 3 and Swagger 2 alike.
 */

type Json = Readonly<Record<string, unknown>>;

/** One operation. */
export interface OperationFacts {
  readonly parameters: ReadonlySet<string>;
  /** Paths of the fields of its answer, such as `transactions[].in_msg.hash`. */
  readonly fields: ReadonlySet<string>;
  /** Beginnings of paths that are not described: any value (`extra`), any name (`decoded.`). */
  readonly open: ReadonlySet<string>;
  /** Values of one of several kinds: the fields of each kind. */
  readonly unions: readonly Union[];
}

export type Union = readonly ReadonlySet<string>[];

/** What is found in a schema. */
interface Found {
  readonly fields: Set<string>;
  readonly open: Set<string>;
  readonly unions: Union[];
}

const nothing = (): Found => ({ fields: new Set(), open: new Set(), unions: [] });

/** The operations of a document, by method and path below the base of its version. */
export type ApiFacts = ReadonlyMap<string, OperationFacts>;

const methods = ["get", "post", "put", "delete", "patch"];

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const objectAt = (value: unknown, ...path: readonly string[]): Json => {
  const found = path.reduce<unknown>((inner, name) => (isObject(inner) ? inner[name] : undefined), value);
  return isObject(found) ? found : {};
};
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The operations of a document; throws when it is none. */
export function readApiFacts(document: unknown): ApiFacts {
  if (!isObject(document) || !isObject(document.paths))
    throw new Error("it has no paths, so it is no OpenAPI document");
  const base = typeof document.basePath === "string" ? document.basePath : "";
  const reader = new Reader(document);
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    methods.flatMap((method): readonly [string, OperationFacts][] => {
      const operation = objectAt(item, method);
      if (Object.keys(operation).length === 0) return [];
      const name = `${base}${path}`.replace(/^\/+api\/\w+(?=\/)/, "").replace(/\/+$/, "");
      const shared = listOf(objectAt(item).parameters);
      return [[`${method.toUpperCase()} ${name}`, reader.operation(operation, shared)]];
    }),
  );
  return new Map(operations);
}

/** A schema within the schemas around it. */
interface Place {
  readonly path: string;
  /** References that are being followed: a schema within itself is not entered again. */
  readonly within: readonly string[];
}

class Reader {
  readonly #document: Json;

  constructor(document: Json) {
    this.#document = document;
  }

  operation(operation: Json, shared: readonly unknown[]): OperationFacts {
    const parameters = new Set<string>();
    for (const each of [...shared, ...listOf(operation.parameters)]) {
      const parameter = this.#follow(each);
      if (parameter.in === "body") this.#addBody(parameters, parameter.schema);
      else if (parameter.in !== "header" && typeof parameter.name === "string") parameters.add(parameter.name);
    }
    const body = this.#follow(operation.requestBody);
    if (Object.keys(body).length > 0) this.#addBody(parameters, schemaOf(body));
    const found = nothing();
    const answer = this.#follow(objectAt(operation, "responses")["200"]);
    this.#addFields(found, schemaOf(answer), { path: "", within: [] });
    return { parameters, ...found };
  }

  #addBody(parameters: Set<string>, schema: unknown): void {
    const found = nothing();
    this.#addFields(found, schema, { path: "", within: [] });
    for (const field of found.fields) if (!/[.[]/.test(field)) parameters.add(field);
  }

  /** What a reference points to; anything else is itself. */
  #follow(value: unknown): Json {
    const reference = objectAt(value).$ref;
    if (typeof reference !== "string") return objectAt(value);
    return objectAt(this.#document, ...reference.replace(/^#\//, "").split("/"));
  }

  #addFields(to: Found, schema: unknown, at: Place): void {
    const reference = objectAt(schema).$ref;
    if (typeof reference === "string") {
      // What lies below is described where the schema stands first.
      if (at.within.includes(reference)) to.open.add(at.path);
      else this.#addFields(to, this.#follow(schema), { ...at, within: [...at.within, reference] });
      return;
    }
    const { properties, items, additionalProperties, patternProperties, ...others } = objectAt(schema);
    for (const each of listOf(others.allOf)) this.#addFields(to, each, at);
    for (const each of ["anyOf", "oneOf"]) this.#addUnion(to, listOf(others[each]), at);
    const values = [additionalProperties, ...Object.values(objectAt(patternProperties))].filter(isObject);
    for (const value of values) this.#addFields(to, value, { ...at, path: `${at.path}{}` });
    if (values.length > 0) to.open.add(`${at.path}.`);
    if (items !== undefined) this.#addFields(to, items, { ...at, path: `${at.path}[]` });
    for (const [name, value] of Object.entries(objectAt(properties))) {
      const path = at.path === "" ? name : `${at.path}.${name}`;
      to.fields.add(path);
      this.#addFields(to, value, { ...at, path });
    }
    const isAny =
      others.type === undefined && !["allOf", "anyOf", "oneOf", "enum", "const"].some((name) => name in others);
    const isMap = [others.type].flat().includes("object");
    if (properties === undefined && values.length === 0 && (isAny || isMap)) to.open.add(at.path);
  }

  #addUnion(to: Found, kinds: readonly unknown[], at: Place): void {
    const union = kinds.map((each) => {
      const found = nothing();
      this.#addFields(found, each, at);
      for (const field of found.fields) to.fields.add(field);
      for (const path of found.open) to.open.add(path);
      to.unions.push(...found.unions);
      return found.fields;
    });
    const described = union.filter(({ size }) => size > 0);
    if (described.length > 1) to.unions.push(described);
  }
}

/** The schema of a body or of an answer, wherever its version of OpenAPI has it. */
function schemaOf(holder: Json): unknown {
  const content = Object.entries(objectAt(holder, "content")).find(([type]) => type.includes("json"));
  return content === undefined ? holder.schema : objectAt(content[1]).schema;
}
