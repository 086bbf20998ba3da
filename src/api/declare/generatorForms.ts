/** A JSON Schema as a plain object. */
type Schema = Readonly<Record<string, unknown>>;

/**
 * The same schema in forms that the usual generators of clients read (openapi-generator, openapi-python-client,
 * oapi-codegen, orval, openapi-typescript). They fail on what JSON Schema allows: a constant that is a boolean becomes
 * a text, an alternative for the empty text becomes a type of its own, a default of alternatives is no value of the
 * first, and a default list is written in the syntax of another language.
 */
export function generatorForm(schema: Schema): Schema {
  return withoutUnreadableDefault(wordsAsEnum(emptyAsText(constantAsEnum(schema))));
}

/** A constant as an enumeration of one; a boolean is described by its field. */
function constantAsEnum(schema: Schema): Schema {
  const { const: constant, ...rest } = schema;
  if (constant === undefined) return schema;
  if (typeof constant === "boolean") return { ...rest, type: "boolean" };
  return { ...rest, type: rest.type ?? typeof constant, enum: [constant] };
}

/** Texts of some form, or the empty text, as texts. */
function emptyAsText(schema: Schema): Schema {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema;
  const text = anyOf.find((each) => Object(each).const !== "");
  const isText = anyOf.some((each) => Object(each).const === "") && Object(text).type === "string";
  if (!isText || Object(text).const !== undefined || Object(text).$id !== undefined) return schema;
  const { pattern, minLength: _longer, ...form } = Object(text) as Schema;
  return { ...form, ...rest, ...(typeof pattern === "string" && { pattern: `^$|${pattern}` }) };
}

/** A choice of words as an enumeration, which pages show as a list to choose from. */
function wordsAsEnum(schema: Schema): Schema {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf) || anyOf.length === 0) return schema;
  const words = anyOf.map((each) => Object(each).const);
  return words.every((word) => typeof word === "string") ? { ...rest, type: "string", enum: words } : schema;
}

/** The description of an argument names its default. */
function withoutUnreadableDefault(schema: Schema): Schema {
  const { default: fallback, ...rest } = schema;
  return Array.isArray(schema.anyOf) || Array.isArray(fallback) ? rest : schema;
}
