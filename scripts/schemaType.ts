/** The parts of a JSON schema that a type is made of. */
export interface Schema {
  readonly $ref?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly type?: string;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly description?: string;
  readonly pattern?: string;
}

/** A JSON schema as a type. */
export function typeOf(schema: Schema | boolean | undefined, indent = ""): string {
  if (schema === undefined || typeof schema === "boolean") return "unknown";
  if (schema.$ref !== undefined) return nameOf(schema.$ref.split("/").at(-1) ?? "");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((each) => JSON.stringify(each)).join(" | ");
  const union = schema.anyOf ?? schema.oneOf;
  if (union !== undefined) return unionOf(union, indent);
  switch (schema.type) {
    case "string":
    case "number":
    case "boolean":
    case "null":
      return schema.type;
    case "integer":
      return "number";
    case "array":
      return `readonly (${typeOf(schema.items, indent)})[]`;
    case "object":
      return objectOf(schema, indent);
    default:
      return "unknown";
  }
}

/** Any of several schemas. */
export function unionOf(schemas: readonly Schema[], indent: string): string {
  return [...new Set(schemas.map((each) => typeOf(each, indent)))].join(" | ");
}

function objectOf({ properties, required = [], patternProperties, additionalProperties }: Schema, indent: string) {
  if (properties === undefined) {
    const [value] = Object.values(patternProperties ?? {});
    return `{ readonly [name: string]: ${typeOf(value ?? additionalProperties, indent)} }`;
  }
  const inner = `${indent}  `;
  const fields = Object.entries(properties).map(([name, schema]) => {
    const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
    return {
      name: `${key}${required.includes(name) ? "" : "?"}`,
      type: typeOf(schema, inner),
      about: schema.description,
    };
  });
  return fieldsOf(fields, indent);
}

/** A field of a declared object; the name of an optional one ends with a question mark. */
export interface Field {
  readonly name: string;
  readonly type: string;
  readonly about: string | undefined;
}

/** An object type with a comment above each field. */
export function fieldsOf(fields: readonly Field[], indent: string): string {
  const inner = `${indent}  `;
  const lines = fields.map(({ name, type, about }) => `${comment(about, inner)}${inner}readonly ${name}: ${type};\n`);
  return lines.length === 0 ? "{}" : `{\n${lines.join("")}${indent}}`;
}

export function comment(text: string | undefined, indent: string): string {
  return text === undefined || text === ""
    ? ""
    : `${indent}/** ${text.replaceAll("*/", "* /").replace(/\s+/g, " ")} */\n`;
}

/** The name of a schema as the name of a type. */
export function nameOf(name: string): string {
  return name
    .replace(/\W+(\w)/g, (_all, letter: string) => letter.toUpperCase())
    .replace(/^\w/, (each) => each.toUpperCase());
}
