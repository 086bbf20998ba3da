type Json = Readonly<Record<string, unknown>>;

/** A part of a document in the form that Swagger UI takes it from its resolver. */
interface Resolved {
  readonly spec: unknown;
  readonly errors: readonly never[];
}

/**
 * Gives one part of a document with its references replaced by what they name. The resolver of Swagger UI reads the
 * whole document for every operation that is opened, which takes a second; references of these documents name only
 * components.
 */
export async function resolveSubtree(document: unknown, path: readonly (string | number)[]): Promise<Resolved> {
  const part = path.reduce<unknown>((at, name) => Object(at)[name], document);
  return { spec: resolve(part, Object(document), []), errors: [] };
}

const prefix = "#/components/schemas/";

/** A schema that contains itself keeps its inner reference. */
function resolve(value: unknown, document: Json, inside: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((each) => resolve(each, document, inside));
  if (typeof value !== "object" || value === null) return value;
  const { $ref } = value as { readonly $ref?: unknown };
  if (typeof $ref !== "string" || !$ref.startsWith(prefix)) return resolveFields(value, document, inside);
  if (inside.includes($ref)) return value;
  const schemas = Object(Object(document.components).schemas) as Json;
  return resolve(schemas[$ref.slice(prefix.length)], document, [...inside, $ref]);
}

function resolveFields(value: object, document: Json, inside: readonly string[]): Json {
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, resolve(each, document, inside)]));
}
