import { readBoc } from "../../cell/boc.ts";
import { isCoded } from "../../lib/errors.ts";
import type { JsonObject, JsonValue } from "../../lib/json.ts";
import { findAddress } from "../../model/Address.ts";
import { findHash } from "../../model/Hash.ts";

/** A place where two answers say something else. */
export interface Disagreement {
  /** Names and positions on the way to the value, joined by dots; empty for the answer itself. */
  readonly path: string;
  readonly proved: JsonValue;
  readonly answered: JsonValue;
}

export interface Comparison {
  readonly disagreements: readonly Disagreement[];
  /** Number of values that both answers have and that mean the same. */
  readonly agreed: number;
  /** Paths of fields that only one of the answers has: services differ in form, and leaving out is no lie. */
  readonly unmatched: readonly string[];
}

/** What an answer says about itself or about the time of asking, not about the chain. */
const ownWords: ReadonlySet<string> = new Set(["@extra", "@type"]);

/**
 * Compares two answers by what they mean: an address, a hash, a number or a bag of cells has several forms. A shorter
 * or longer list is a disagreement, because it leaves out or adds something of the chain.
 */
export function compareMeanings(proved: JsonValue, answered: JsonValue): Comparison {
  const disagreements: Disagreement[] = [];
  const unmatched: string[] = [];
  let agreed = 0;
  const compare = (path: string, ours: JsonValue, theirs: JsonValue): void => {
    if (isObject(ours) && isObject(theirs)) {
      for (const name of new Set([...Object.keys(ours), ...Object.keys(theirs)]))
        if (!ownWords.has(name)) compareField(joinPath(path, name), ours[name], theirs[name]);
    } else if (isList(ours) && isList(theirs) && ours.length === theirs.length) {
      ours.forEach((each, at) => {
        compareField(joinPath(path, String(at)), each, theirs[at]);
      });
    } else if (isSameMeaning(ours, theirs)) {
      agreed += 1;
    } else {
      disagreements.push({ path, proved: ours, answered: theirs });
    }
  };
  const compareField = (path: string, ours: JsonValue | undefined, theirs: JsonValue | undefined): void => {
    if (ours !== undefined && theirs !== undefined) compare(path, ours, theirs);
    else unmatched.push(path);
  };
  compare("", proved, answered);
  return { disagreements, agreed, unmatched };
}

function joinPath(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isSameMeaning(ours: JsonValue, theirs: JsonValue): boolean {
  if (ours === theirs) return true;
  // Nothing is written in several forms.
  if (isNothing(ours) && isNothing(theirs)) return true;
  if (isList(ours) || isList(theirs) || isObject(ours) || isObject(theirs)) return false;
  if (typeof ours === "boolean" || typeof theirs === "boolean") return false;
  const [a, b] = [String(ours), String(theirs)];
  return meaningReaders.some((read) => {
    const meaning = read(a);
    return meaning !== undefined && meaning === read(b);
  });
}

function isNothing(value: JsonValue): boolean {
  return value === null || value === "" || (isList(value) && value.length === 0);
}

/** Each reads a text in one way; what cannot be read so has no such meaning. */
const meaningReaders: readonly ((text: string) => string | undefined)[] = [
  (text) => findNumber(text)?.toString(),
  (text) => findHash(text),
  (text) => findAddress(text)?.address,
  findBag,
];

/** A whole number in decimal or hexadecimal digits. */
function findNumber(text: string): bigint | undefined {
  const [, sign, digits] = /^(-?)((?:0x[0-9a-f]{1,64})|[0-9]{1,80})$/i.exec(text) ?? [];
  if (digits === undefined) return undefined;
  return sign === "-" ? -BigInt(digits) : BigInt(digits);
}

const bagStart = /^te6cc[A-Za-z0-9+/=]*$/;

/** The hashes of a bag's roots: the same cells can be written in many ways. */
function findBag(text: string): string | undefined {
  if (!bagStart.test(text)) return undefined;
  try {
    return readBoc(Buffer.from(text, "base64"))
      .map((root) => root.hash())
      .join();
  } catch (error) {
    if (!isCoded(error)) throw error;
    return undefined;
  }
}
