type Json = Readonly<Record<string, unknown>>;

/* How wallets read emulated traces: what they need must be there in its form, or they show no preview. */

function need<T>(value: unknown, is: (value: unknown) => value is T, name: string): T {
  if (!is(value)) throw new Error(`${name} is ${JSON.stringify(value)}`);
  return value;
}

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === "string";
const isDecimal = (value: unknown): value is string => isText(value) && /^-?[0-9]+$/.test(value);
const isNumber = (value: unknown): value is number => typeof value === "number";
const isFlag = (value: unknown): value is boolean => typeof value === "boolean";

/** The result of the first transaction, by which wallets decide whether a transfer would succeed. */
export interface RootResult {
  readonly isAborted: boolean;
  readonly exitCode: number;
  readonly resultCode: number;
  readonly fees: bigint;
}

/** The transactions of a trace in the order of its tree. */
function walk(node: Json, transactions: Json): readonly Json[] {
  const own = need(transactions[need(node.tx_hash, isText, "tx_hash")], isObject, "transaction");
  const children = need(node.children, isList, "children");
  return [own, ...children.flatMap((child) => walk(need(child, isObject, "child"), transactions))];
}

/** Reads the whole answer as a wallet kit maps it to its own types; gives the transactions in the order of the tree. */
export function mapEmulation(answer: Json): readonly Json[] {
  need(answer.mc_block_seqno, isNumber, "mc_block_seqno");
  need(answer.rand_seed, isText, "rand_seed");
  need(answer.is_incomplete, isFlag, "is_incomplete");
  for (const name of ["code_cells", "data_cells", "address_book", "metadata"]) need(answer[name], isObject, name);
  const transactions = need(answer.transactions, isObject, "transactions");
  const walked = walk(need(answer.trace, isObject, "trace"), transactions);
  if (walked.length !== Object.keys(transactions).length) throw new Error("the tree leaves transactions out");
  for (const each of walked) mapTransaction(each);
  for (const each of need(answer.actions, isList, "actions")) mapAction(need(each, isObject, "action"), transactions);
  return walked;
}

function mapTransaction(transaction: Json): void {
  for (const name of ["total_fees", "lt", "prev_trans_lt"]) need(transaction[name], isDecimal, name);
  for (const name of ["account", "hash", "orig_status", "end_status"]) need(transaction[name], isText, name);
  need(transaction.emulated, isFlag, "emulated");
  for (const name of ["account_state_before", "account_state_after"]) {
    const state = need(transaction[name], isObject, name);
    need(state.balance, isDecimal, `${name}.balance`);
    need(state.account_status, isText, `${name}.account_status`);
  }
  for (const message of need(transaction.out_msgs, isList, "out_msgs")) {
    const { value, destination } = need(message, isObject, "message");
    if (destination !== null) need(value, isDecimal, "value");
  }
}

function mapAction(action: Json, transactions: Json): void {
  for (const name of ["action_id", "type", "start_lt", "end_lt"]) need(action[name], isText, name);
  need(action.success, isFlag, "success");
  need(action.details, isObject, "details");
  need(action.accounts, isList, "accounts");
  for (const hash of need(action.transactions, isList, "transactions of an action"))
    need(transactions[need(hash, isText, "hash")], isObject, "transaction of an action");
}

/** The result of the root as another wallet checks it before it offers to sign. */
export function mapRoot(answer: Json): RootResult {
  const { tx_hash: hash } = need(answer.trace, isObject, "trace");
  const root = need(need(answer.transactions, isObject, "transactions")[String(hash)], isObject, "root");
  const description = need(root.description, isObject, "description");
  const compute = need(description.compute_ph, isObject, "compute_ph");
  const action = need(description.action, isObject, "action");
  need(compute.success, isFlag, "compute_ph.success");
  need(action.success, isFlag, "action.success");
  return {
    isAborted: need(description.aborted, isFlag, "aborted"),
    exitCode: need(compute.exit_code, isNumber, "exit_code"),
    resultCode: need(action.result_code, isNumber, "result_code"),
    fees: BigInt(need(root.total_fees, isDecimal, "total_fees")),
  };
}
