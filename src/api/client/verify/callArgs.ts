/** The arguments of a call. */
export type CallValues = Readonly<Record<string, unknown>>;

/** Arguments as a query string: a list is a repeated name. */
export function formatQuery(args: CallValues): string {
  const pairs = Object.entries(args).flatMap(([name, value]) => {
    const values: readonly unknown[] = Array.isArray(value) ? value : value === undefined ? [] : [value];
    return values.map((each): [string, string] => [name, String(each)]);
  });
  return new URLSearchParams(pairs).toString();
}

/** Arguments as a body. */
export function formatBody(args: CallValues): string {
  return JSON.stringify(args, bigintAsText);
}

function bigintAsText(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? value.toString() : value;
}
