import { listOutside, outsideScope, outsideScopeError } from "../../history/queries/coverage.ts";
import type { History, HistorySnapshot } from "../../history/queries/kit/History.ts";
import { limitsAccounts } from "../../history/scope/Scope.ts";
import { formatRawAddress } from "../../model/Address.ts";
import type { Subscription } from "./Subscription.ts";

/**
 * Refuses a subscription to what is outside the scope of the index: its events would never come. A subscription to all
 * accounts, and one to a trace by its message, gets what the index has.
 */
export function refuseOutsideScope(history: History, wanted: StreamFilter): Promise<void> {
  return history.read({}, (reading) => refuse(reading, wanted));
}

type StreamFilter = Pick<Subscription, "addresses" | "jettons" | "codeHashes">;

async function refuse(reading: HistorySnapshot, { addresses, jettons, codeHashes }: StreamFilter): Promise<void> {
  const open = await reading.findScope();
  if (open === undefined || !limitsAccounts(open.scope)) return;
  const jetton = [...jettons].find((each) => !open.accounts.hasJetton(each));
  if (jetton !== undefined)
    throw outsideScope(open, `${formatRawAddress(jetton)} is not a jetton in the scope of this index`);
  const code = [...codeHashes].find((each) => !open.accounts.hasCode(each));
  if (code !== undefined) throw outsideScope(open, `${code} is not a code in the scope of this index`);
  const outside = await listOutside(reading, open, [...addresses]);
  if (outside.length > 0) throw outsideScopeError(open, outside);
}
