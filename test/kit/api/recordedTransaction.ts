import { asList, asRecord } from "../../../kit/suite/record.ts";

type Json = Readonly<Record<string, unknown>>;

/** Fields of recorded answers that are not in the transaction's cell. */
const fromElsewhere = new Set([
  "mc_block_seqno",
  "block_ref",
  "trace_id",
  "trace_external_hash",
  "account_state_before",
  "account_state_after",
  "finality",
  "emulated",
  "child_transactions",
  "decoded",
  "decoded_opcode",
  "hash_norm",
]);

/**
 * Reduces both sides to the fields that can be compared: the answers were recorded over years, so older ones lack newer
 * fields, and the emulation service writes some fields for transactions that do not have them.
 */
export function pickKnown(ours: Json, recorded: Json): readonly [ours: unknown, recorded: unknown] {
  const known = cleaned(recorded);
  return [limited(ours, known), known];
}

function cleaned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(cleaned);
  if (typeof value !== "object" || value === null) return value;
  const record = asRecord(value);
  const entries = Object.entries(record).filter(([name]) => !fromElsewhere.has(name));
  const fields = Object.fromEntries(entries.map(([name, inner]) => [name, cleaned(inner)]));
  if (fields.type === "ord") {
    // Left over from a record type that covers all kinds of transactions.
    delete fields.is_tock;
    delete fields.installed;
  }
  // A message without a value has no currencies either; answers write this as null or as an empty list.
  if (fields.value === null) delete fields.value_extra_currencies;
  // For an internal message this equals `ihr_fee`, the older name.
  delete fields.extra_flags;
  return fields;
}

/** Our value without the fields that the recorded one lacks. */
function limited(ours: unknown, known: unknown): unknown {
  if (Array.isArray(ours) && Array.isArray(known)) return ours.map((item, i) => limited(item, asList(known)[i]));
  if (typeof ours !== "object" || ours === null || typeof known !== "object" || known === null) return ours;
  const names = new Set(Object.keys(known));
  const kept = Object.entries(ours).filter(([name]) => names.has(name));
  return Object.fromEntries(kept.map(([name, inner]) => [name, limited(inner, asRecord(known)[name])]));
}
