import { v3 } from "./ask.ts";
import { AskError, run } from "./run.ts";
import type { DomainRecord } from "./types.ts";

/** The records of a domain; `undefined` if this network has no such domain. */
export async function findDomainRecord(domain: string): Promise<DomainRecord | undefined> {
  try {
    const { records } = await run(v3("dns/records", { domain: domain.trim().toLowerCase(), limit: 1 }));
    return records[0];
  } catch (error) {
    if (error instanceof AskError && error.status !== 0) return undefined;
    throw error;
  }
}
