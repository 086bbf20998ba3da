/** The bytes of an address that an index has instead of an account: enough to find its rows, and narrow. */
export const shortAccount = (sql: string): string => `substring(${sql} from 2 for 7)`;

/**
 * The rows with an account in a column whose index has the short form. The short form decides nearly always, and the
 * planner must not count the whole account as a second condition: it would multiply their shares, expect one row of a
 * busy account, and read all of them to sort them. It knows nothing about the result of a `case`.
 */
export function isAccount(column: string, value: string): string {
  return `${shortAccount(column)} = ${shortAccount(value)} and ${decides(`${column} = ${value}`)}`;
}

const decides = (condition: string): string => `case when ${condition} then true else false end`;

/** The same for a list of accounts. */
export function isOneOfAccounts(column: string, list: string): string {
  const short = `array(select ${shortAccount("k")} from unnest(${list}) k)`;
  return `${shortAccount(column)} = any(${short}) and ${decides(`${column} = any(${list})`)}`;
}
