type Json = Readonly<Record<string, unknown>>;

const hashOf = (at: number): string => Buffer.from(at.toString(16).padStart(64, "0"), "hex").toString("base64");

interface Node {
  readonly tx_hash: string;
  readonly in_msg_hash: string;
  readonly children: Node[];
}

/**
 * The answer about a trace, made longer: this many copies of its first transaction, each with an operation of its own
 * so that none are folded, as a tree with branches of different lengths.
 */
export function lengthenTrace(answer: Json, count: number): Json {
  const [trace] = answer.traces as readonly Json[];
  if (trace === undefined) throw new Error("the answer has no trace");
  const [sample] = Object.values(Object(trace.transactions) as Readonly<Record<string, Json>>);
  if (sample === undefined) throw new Error("the trace has no transaction");
  const nodes = Array.from({ length: count }, (_, at): Node => {
    return { tx_hash: hashOf(at + 1), in_msg_hash: hashOf(count + at + 1), children: [] };
  });
  // A parent is at most 40 nodes before its child, so the tree is wide and deep.
  for (const [at, node] of nodes.entries())
    if (at > 0) nodes[Math.max(0, at - 1 - ((at * 7) % 40))]?.children.push(node);
  const transactions = nodes.map(({ tx_hash: hash, in_msg_hash: message }, at) => {
    const opcode = `0x${(0x10000000 + at).toString(16)}`;
    const lt = String(BigInt(String(sample.lt)) + BigInt(at));
    const received = { ...Object(sample.in_msg), hash: message, opcode, message_content: null };
    return [hash, { ...sample, hash, lt, in_msg: received, out_msgs: [] }] as const;
  });
  const info = { ...Object(trace.trace_info), transactions: count };
  return {
    ...answer,
    traces: [
      { ...trace, trace_info: info, trace: nodes[0], transactions: Object.fromEntries(transactions), actions: [] },
    ],
  };
}
