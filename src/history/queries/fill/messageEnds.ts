/** A subquery of the transactions that sent or received messages: `list` holds hashes or normalized hashes. */
export function endsOfMessages(list: string, columns: (alias: string) => string): string {
  const found = `(m.hash = any(${list}) or m.hash_norm = any(${list}))`;
  return `
    select ${columns("r")} from messages m join transactions r on r.in_msg_hash = m.hash where ${found}
    union select ${columns("s")} from messages m join transactions s on s.hash = m.out_tx_hash where ${found}`;
}
