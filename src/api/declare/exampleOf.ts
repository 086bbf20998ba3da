const address = "0:83DFD552E63729B472FCBCC8C45EBCC6691702558B68EC7527E1BA403A0F31A8";
const hash = "CPUE4WXeEJT+Dwz1fY/rkreWvYnsOt3I44i1G5ojJPM=";
const bag = "te6cckEBAQEADgAAGAAAAABoZWxsbyB0b27xVl9G";

/** Values as a real answer has them, by what their field means; the first that fits. */
const byMeaning: readonly (readonly [RegExp, unknown])[] = [
  [/^User-friendly (?:address|form)/, "EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N"],
  [/^Status of the account/, "active"],
  [/^Type of the action/, "ton_transfer"],
  [/^Names of the contract types/, "wallet_v5r1"],
  [/^Version of the wallet/, "wallet v5r1"],
  [/^Instruction that runs/, "CTOS"],
  [/^Domain/, "alice.ton"],
  [/^Name of the token/, "Demo"],
  [/^Symbol/, "DEMO"],
  [/comment/, "hello ton"],
  [/^Operation: /, "0x0f8a7ea5"],
  [/^Id of the network/, -239],
  [/^Workchain/, 0],
  [/^Shard/, "8000000000000000"],
  [/exit code|Result of the action phase/i, 0],
  [/bag of cells/i, bag],
  [/\bhash\b/i, hash],
  [/\b(?:fee|fees)\b/i, "400000"],
  [/nanocoins/, "1000000000"],
  [/Unix seconds/, 1700000000],
  [/logical time/i, "46885220000001"],
  [/seqno|sequence number/i, 38000000],
  [/\bgas\b/i, 2994],
  [/address/i, address],
];

const found = new Map<string, unknown>();

/** The value for a meaning; many fields of a document have the same. */
function findMeant(meaning: string): unknown {
  if (!found.has(meaning)) found.set(meaning, byMeaning.find(([words]) => words.test(meaning))?.[1]);
  return found.get(meaning);
}

/** Deeper parts of a schema add nothing that a reader needs. */
const deepest = 40;
/** Optional parts that are nested deeper than this are left out. */
const deepestOptional = 4;

type Json = Readonly<Record<string, unknown>>;

/** A value of a schema, as an answer may have it; `schemas` has what the schema refers to. */
export function exampleOf(schema: unknown, schemas: ReadonlyMap<string, unknown>, meaning = "", depth = 0): unknown {
  const { $ref, const: only, examples, enum: words, anyOf, type, ...rest } = Object(schema) as Json;
  const target = typeof $ref === "string" ? schemas.get($ref.slice($ref.lastIndexOf("/") + 1)) : undefined;
  if ($ref !== undefined) return depth > deepest ? {} : exampleOf(target, schemas, meaning, depth + 1);
  if (only !== undefined) return only;
  if (Array.isArray(examples) && examples.length > 0) return examples[0];
  if (Array.isArray(words)) return words[0];
  if (Array.isArray(anyOf)) return exampleOf(anyOf.find(isThere) ?? anyOf[0], schemas, meaning, depth + 1);
  switch (type) {
    case "object":
      return objectExample(rest, schemas, depth);
    case "array":
      return rest.maxItems === 0 || depth > deepest ? [] : [exampleOf(rest.items, schemas, meaning, depth + 1)];
    default:
      return scalarExample(type, rest, meaning);
  }
}

const isThere = (schema: unknown) => Object(schema).type !== "null" && Object(schema).const !== "";

function objectExample(
  { properties, required, patternProperties }: Json,
  schemas: ReadonlyMap<string, unknown>,
  depth: number,
) {
  if (properties === undefined) {
    const [entry] = Object.entries(Object(patternProperties) as Json);
    if (entry === undefined || depth > deepest) return {};
    // A key that fits: an address, unless the pattern wants something else.
    const key = stringExample(address, new RegExp(entry[0]));
    return { [String(key)]: exampleOf(entry[1], schemas, "", depth + 1) };
  }
  const isShown = (name: string) => depth < deepestOptional || (Array.isArray(required) && required.includes(name));
  const entries = Object.entries(Object(properties) as Json).filter(([name]) => isShown(name));
  const meaningOf = (field: unknown) => String(Object(field).description ?? "");
  return Object.fromEntries(
    entries.map(([name, each]) => [name, exampleOf(each, schemas, meaningOf(each), depth + 1)]),
  );
}

/** A value by its meaning where that fits the schema, or the simplest one that does. */
function scalarExample(type: unknown, { pattern, minimum }: Json, meaning: string): unknown {
  const meant = findMeant(meaning);
  switch (type) {
    case "boolean":
      return !/failed|returned to its sender/.test(meaning);
    case "integer":
    case "number":
      return typeof meant === "number" ? meant : Math.max(1, Number(minimum ?? 1));
    case "string":
      return stringExample(meant, typeof pattern === "string" ? new RegExp(pattern) : undefined);
    case "null":
      return null;
    default:
      return meant ?? {};
  }
}

const strings = [
  "1000000000",
  hash,
  "08f504e165de1094fe0f0cf57d8feb92b796bd89ec3addc8e388b51b9a2324f3",
  "EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N",
  address,
  address.toLowerCase(),
  "CPUE4WXeEJT-Dwz1fY_rkreWvYnsOt3I44i1G5ojJPM",
  "8000000000000000",
  bag,
  "0x0f8a7ea5",
];

function stringExample(meant: unknown, pattern: RegExp | undefined): string {
  const wanted = typeof meant === "string" ? [meant, ...strings] : strings;
  if (pattern === undefined) return typeof meant === "string" ? meant : "demo";
  return wanted.find((each) => pattern.test(each)) ?? "";
}
