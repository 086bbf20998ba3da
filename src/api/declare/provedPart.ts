import type { JsonValue } from "../../lib/json.ts";

/** Where an answer differs from the part of it that is proved, for messages; undefined if it does not. */
export function findDifference(
  proved: JsonValue,
  answer: JsonValue | undefined,
  path = "the answer",
): string | undefined {
  if (Array.isArray(proved)) {
    if (!Array.isArray(answer) || answer.length !== proved.length) return path;
    return findFirst(proved.map((item, index) => [item, answer[index], `${path}[${index}]`]));
  }
  if (typeof proved === "object" && proved !== null) {
    if (typeof answer !== "object" || answer === null || Array.isArray(answer)) return path;
    const fields = Object(answer) as Readonly<Record<string, JsonValue>>;
    return findFirst(Object.entries(proved).map(([name, item]) => [item, fields[name], `${path}.${name}`]));
  }
  return sameScalar(proved, answer) ? undefined : path;
}

type Compared = readonly [proved: JsonValue, answer: JsonValue | undefined, path: string];

function findFirst(compared: readonly Compared[]): string | undefined {
  for (const each of compared) {
    const found = findDifference(...each);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Large numbers are bigints in JSON that was read. */
function sameScalar(proved: JsonValue, answer: JsonValue | undefined): boolean {
  return typeof proved === "bigint" || typeof answer === "bigint"
    ? String(proved) === String(answer)
    : proved === answer;
}
