import { makeOpenApi } from "../src/api/declare/openapi.ts";
import { emulateApi } from "../src/api/emulate/envelope.ts";
import { liteApi } from "../src/api/lite/envelope.ts";
import { v2Api } from "../src/api/v2/envelope.ts";
import { v3Api } from "../src/api/v3/envelope.ts";
import { v4Api } from "../src/api/v4/envelope.ts";
import { type ApiFacts, type OperationFacts, readApiFacts } from "./apiFacts.ts";

/** How many operations of a name are written out. */
const maxShown = 4;

/** Names by operation. */
type Named = readonly (readonly [operation: string, names: readonly string[]])[];

/** What only one of two documents has. */
export interface ApiDifferences {
  readonly operations: readonly string[];
  readonly parameters: Named;
  readonly fields: Named;
}

/** What the first document has and the second one lacks. Fields are compared as far as the second describes any. */
export function findMissing(has: ApiFacts, lacks: ApiFacts): ApiDifferences {
  const operations: string[] = [];
  const parameters: [string, readonly string[]][] = [];
  const fields: [string, readonly string[]][] = [];
  for (const [name, own] of has) {
    const other = lacks.get(name);
    if (other === undefined) {
      operations.push(name);
      continue;
    }
    const missingParameters = [...own.parameters].filter((each) => !other.parameters.has(each));
    if (missingParameters.length > 0) parameters.push([name, missingParameters]);
    const meant = fieldsMeant(own, other);
    const missing = [...meant].filter((each) => !other.fields.has(each) && !isBelowOpen(each, other));
    // Below a missing field everything is missing.
    const first = missing.filter((each) => !missing.some((outer) => isBelow(each, outer)));
    if (first.length > 0) fields.push([name, first]);
  }
  return { operations, parameters, fields };
}

/** The fields of an answer; of a value of several kinds only those of the kind that the other document has, too. */
function fieldsMeant({ fields, unions }: OperationFacts, other: OperationFacts): ReadonlySet<string> {
  const meant = new Set(fields);
  const shared = (kind: ReadonlySet<string>) => [...kind].filter((each) => other.fields.has(each)).length;
  for (const union of unions) {
    const [best] = union
      .filter((kind) => shared(kind) > 0)
      .toSorted((one, two) => shared(two) - shared(one) || one.size - two.size);
    for (const field of union.flatMap((kind) => [...kind])) if (best?.has(field) !== true) meant.delete(field);
  }
  return meant;
}

const isBelow = (path: string, outer: string) =>
  path !== outer && path.startsWith(outer) && /^[.[{]/.test(path.slice(outer.length));

function isBelowOpen(path: string, { open }: OperationFacts): boolean {
  return [...open].some((each) => each === "" || (each.endsWith(".") ? path.startsWith(each) : isBelow(path, each)));
}

const versions = { v2: v2Api, v3: v3Api, v4: v4Api, emulate: emulateApi, lite: liteApi };

/** Our version with the most operations of a document. */
function findVersion(published: ApiFacts): { readonly name: string; readonly facts: ApiFacts } {
  const all = Object.entries(versions).map(([name, api]) => {
    const facts = readApiFacts(JSON.parse(JSON.stringify(makeOpenApi<never>(api))));
    return { name, facts, shared: [...published.keys()].filter((each) => facts.has(each)).length };
  });
  const [best] = all.toSorted((one, other) => other.shared - one.shared);
  if (best === undefined || best.shared === 0)
    throw new Error("it shares no operation with any version of this service");
  return best;
}

/** A line for each name, with the operations that lack it. */
function formatNames(kind: string, lists: Named): readonly string[] {
  const operations = new Map<string, string[]>();
  for (const [operation, names] of lists)
    for (const name of names) operations.set(name, [...(operations.get(name) ?? []), operation]);
  return [...operations].map(([name, [...all]]) => {
    const [shown, hidden] = [all.slice(0, maxShown), all.length - maxShown];
    return `  ${kind} ${name}: ${shown.join(", ")}${hidden > 0 ? ` and ${hidden} more` : ""}`;
  });
}

function formatMissing(title: string, { operations, parameters, fields }: ApiDifferences): readonly string[] {
  const count = operations.length + parameters.length + fields.length;
  return [
    `${title}: ${count === 0 ? "nothing" : ""}`.trimEnd(),
    ...operations.map((name) => `  operation ${name}`),
    ...formatNames("parameter", parameters),
    ...formatNames("field", fields),
  ];
}

/** Compares a published document with ours; `isLevel` when ours lacks nothing of it. */
export function compareWithOurs(document: unknown): { readonly text: string; readonly isLevel: boolean } {
  const published = readApiFacts(document);
  const { name, facts } = findVersion(published);
  const lacking = findMissing(published, facts);
  const lines = [
    ...formatMissing(`only in the published document, not in ${name} here`, lacking),
    ...formatMissing(`only in ${name} here`, findMissing(facts, published)),
  ];
  const isLevel = lacking.operations.length + lacking.parameters.length + lacking.fields.length === 0;
  return { text: `${lines.join("\n")}\n`, isLevel };
}
