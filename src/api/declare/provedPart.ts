import type { JsonValue } from "../../lib/json.ts";

/** Where an answer differs from the part of it that is proved, for messages; undefined if it does not. */
export function findDifference(proved: JsonValue, answer: JsonValue | undefined): string | undefined {
  const place = findPlace(proved, answer);
  return place === undefined ? undefined : `the answer${place}`;
}

/** The place is put together only where there is a difference. */
function findPlace(proved: JsonValue, answer: JsonValue | undefined): string | undefined {
  if (typeof proved !== "object" || proved === null) return sameScalar(proved, answer) ? undefined : "";
  if (typeof answer !== "object" || answer === null || Array.isArray(answer) !== Array.isArray(proved)) return "";
  return Array.isArray(proved) ? findInList(proved, Object(answer)) : findInFields(proved, answer);
}

function findInList(proved: readonly JsonValue[], answer: readonly JsonValue[]): string | undefined {
  if (answer.length !== proved.length) return "";
  for (const [index, item] of proved.entries()) {
    const place = findPlace(item, answer[index]);
    if (place !== undefined) return `[${index}]${place}`;
  }
  return undefined;
}

function findInFields(proved: object, answer: object): string | undefined {
  const fields: Readonly<Record<string, JsonValue>> = Object(answer);
  for (const [name, item] of Object.entries(proved)) {
    const place = findPlace(item, Object.hasOwn(fields, name) ? fields[name] : undefined);
    if (place !== undefined) return `.${name}${place}`;
  }
  return undefined;
}

/** Large numbers are bigints in JSON that was read. */
function sameScalar(proved: JsonValue, answer: JsonValue | undefined): boolean {
  return typeof proved === "bigint" || typeof answer === "bigint"
    ? String(proved) === String(answer)
    : proved === answer;
}
