/** The bytes of an address that an index has instead of an account: enough to find its rows, and narrow. */
export const shortAccount = (sql: string): string => `substring(${sql} from 2 for 7)`;

/** The rows with an account in a column whose index has the short form. */
export function isAccount(column: string, value: string): string {
  return `${shortAccount(column)} = ${shortAccount(value)} and ${column} = ${value}`;
}

/** The same for a list of accounts. */
export function isOneOfAccounts(column: string, list: string): string {
  const short = `array(select ${shortAccount("k")} from unnest(${list}) k)`;
  return `${shortAccount(column)} = any(${short}) and ${column} = any(${list})`;
}
