/** Values as a real answer has them, by the name of the field. */
const byName: Readonly<Record<string, unknown>> = {
  "@extra": "1700000000:3:12.345",
  after_lt: "46885220000001",
  amount: "1000000000",
  balance: "5000000000",
  body: "te6cckEBAQEADgAAGAAAAABoZWxsbyB0b27xVl9G",
  boc: "te6cckEBAQEADgAAGAAAAABoZWxsbyB0b27xVl9G",
  bytes: "te6cckEBAQEADgAAGAAAAABoZWxsbyB0b27xVl9G",
  code: "te6cckEBAQEAAgAAAEysuc0=",
  code_boc: "te6cckEBAQEAAgAAAEysuc0=",
  comment: "hello ton",
  created_lt: "46885220000002",
  data: "te6cckEBAQEAAgAAAEysuc0=",
  data_boc: "te6cckEBAQEAAgAAAEysuc0=",
  decimals: 9,
  description: "A token",
  dns_wallet: "0:83DFD552E63729B472FCBCC8C45EBCC6691702558B68EC7527E1BA403A0F31A8",
  domain: "alice.ton",
  end_lt: "46885220000003",
  end_utime: 1700000003,
  exit_code: 0,
  fee: "400000",
  fwd_fee: "266669",
  gas_used: 2994,
  gen_utime: 1700000000,
  global_id: -239,
  hash: "CPUE4WXeEJT+Dwz1fY/rkreWvYnsOt3I44i1G5ojJPM=",
  interfaces: ["wallet_v5r1"],
  limit: 10,
  lt: "46885220000001",
  mc_block_seqno: 38000000,
  mc_seqno: 38000000,
  method: "seqno",
  name: "Demo",
  now: 1700000000,
  opcode: "0x0f8a7ea5",
  operation: "CTOS",
  seqno: 38000000,
  shard: "8000000000000000",
  start_lt: "46885220000001",
  start_utime: 1700000000,
  status: "active",
  symbol: "DEMO",
  sync_utime: 1700000000,
  type: "ton_transfer",
  utime: 1700000000,
  value: "1000000000",
  wallet_id: 698983191,
  wallet_type: "wallet v5r1",
  workchain: 0,
};

/** The same for names that end alike. */
const byEnding: readonly (readonly [RegExp, unknown])[] = [
  [/_hash(_norm)?$|^hash_/, byName.hash],
  [
    /address|owner|wallet$|source|destination|^account$|sender|receiver/,
    "0:83DFD552E63729B472FCBCC8C45EBCC6691702558B68EC7527E1BA403A0F31A8",
  ],
  [/_lt$/, byName.lt],
  [/(utime|time|_at|_until)$/, byName.utime],
  [/seqno$/, byName.seqno],
  [/fees?(_|$)/, byName.fee],
  [/boc$/, byName.boc],
];

/** Deeper parts of a schema add nothing that a reader needs. */
const deepest = 40;
/** Optional parts that are nested deeper than this are left out. */
const deepestOptional = 4;

type Json = Readonly<Record<string, unknown>>;

/** A value of a schema, as an answer may have it; `schemas` has what the schema refers to. */
export function exampleOf(schema: unknown, schemas: ReadonlyMap<string, unknown>, name = "", depth = 0): unknown {
  const { $ref, const: only, examples, enum: words, anyOf, type, ...rest } = Object(schema) as Json;
  const target = typeof $ref === "string" ? schemas.get($ref.slice($ref.lastIndexOf("/") + 1)) : undefined;
  if ($ref !== undefined) return depth > deepest ? {} : exampleOf(target, schemas, name, depth + 1);
  if (only !== undefined) return only;
  if (Array.isArray(examples) && examples.length > 0) return examples[0];
  if (Array.isArray(words)) return words[0];
  if (Array.isArray(anyOf)) return exampleOf(anyOf.find(isThere) ?? anyOf[0], schemas, name, depth + 1);
  switch (type) {
    case "object":
      return objectExample(rest, schemas, depth);
    case "array":
      return rest.maxItems === 0 || depth > deepest
        ? []
        : [exampleOf(rest.items, schemas, name.replace(/s$/, ""), depth + 1)];
    default:
      return scalarExample(type, rest, name);
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
    const key = stringExample(byEnding[1]?.[1], new RegExp(entry[0]));
    return { [String(key)]: exampleOf(entry[1], schemas, "", depth + 1) };
  }
  const isShown = (name: string) => depth < deepestOptional || (Array.isArray(required) && required.includes(name));
  const entries = Object.entries(Object(properties) as Json).filter(([name]) => isShown(name));
  return Object.fromEntries(entries.map(([name, each]) => [name, exampleOf(each, schemas, name, depth + 1)]));
}

/** A value by its name where that fits the schema, or the simplest one that does. */
function scalarExample(type: unknown, { pattern, minimum }: Json, name: string): unknown {
  const named = byName[name] ?? byEnding.find(([ending]) => ending.test(name))?.[1];
  switch (type) {
    case "boolean":
      return name !== "bounced" && name !== "aborted";
    case "integer":
    case "number":
      return typeof named === "number" ? named : Math.max(1, Number(minimum ?? 1));
    case "string":
      return stringExample(named, typeof pattern === "string" ? new RegExp(pattern) : undefined);
    case "null":
      return null;
    default:
      return named ?? {};
  }
}

const strings = [
  "1000000000",
  String(byName.hash),
  "08f504e165de1094fe0f0cf57d8feb92b796bd89ec3addc8e388b51b9a2324f3",
  "EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N",
  "0:83DFD552E63729B472FCBCC8C45EBCC6691702558B68EC7527E1BA403A0F31A8",
  "0:83dfd552e63729b472fcbcc8c45ebcc6691702558b68ec7527e1ba403a0f31a8",
  "CPUE4WXeEJT-Dwz1fY_rkreWvYnsOt3I44i1G5ojJPM",
  "8000000000000000",
  String(byName.boc),
  "0x0f8a7ea5",
];

function stringExample(named: unknown, pattern: RegExp | undefined): string {
  const wanted = typeof named === "string" ? [named, ...strings] : strings;
  if (pattern === undefined) return typeof named === "string" ? named : "demo";
  return wanted.find((each) => pattern.test(each)) ?? "";
}
