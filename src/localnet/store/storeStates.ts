import { isCoded } from "../../lib/errors.ts";
import type { Log } from "../../lib/log.ts";
import { nextTurn } from "../../lib/TurnBudget.ts";
import type { BlockIdExt } from "../../model/block/BlockId.ts";
import type { TurnPause } from "../collate/BlockInput.ts";
import { ChainView } from "../ledger/ChainView.ts";
import type { Ledger } from "../ledger/Ledger.ts";
import type { StateStore } from "./StateStore.ts";

interface StoreModules {
  readonly ledger: Ledger;
  readonly states: StateStore;
  readonly log: Log;
}

/**
 * Stores the states of a masterchain block and continues with copies of them: a state made by updates keeps every block
 * in memory that it has cells of. In steps, because the queues of a state may be long. A failure is logged only: states
 * are a cache.
 */
export async function storeStates(
  at: BlockIdExt,
  { ledger, states: store, log }: StoreModules,
  pause: TurnPause,
): Promise<boolean> {
  const states = idsAt(at, ledger).map((id) => ({ id, state: ledger.state(id) }));
  try {
    const copies = await store.put(at.seqno, states, pause);
    for (const { id, state } of copies) ledger.keepState(id, state);
    return true;
  } catch (error) {
    if (!isCoded(error, "lib/storage")) throw error;
    log.warn("states cannot be stored; the next start takes longer", { error: error.message });
    return false;
  }
}

/**
 * Stores the states that a running chain would have stored, up to its head: a restored snapshot has none. Without them
 * each read of an old state would apply all blocks before it, and so would the next block, whose state is no longer in
 * memory then.
 */
export async function fillStates(modules: StoreModules, every: number): Promise<void> {
  const { ledger, states, log } = modules;
  const from = Math.max(states.newest?.seqno ?? 0, ledger.base?.master.id.seqno ?? 0);
  const last = ledger.headId.seqno - (ledger.headId.seqno % every);
  if (last - from >= every) log.info("storing the states of old blocks, which are missing", { from, to: last });
  for (let seqno = from + 1; seqno <= last; seqno++) {
    const { id } = ledger.getMaster(seqno);
    for (const each of idsAt(id, ledger)) ledger.state(each);
    if (seqno % every === 0 && !(await storeStates(id, modules, nextTurn))) return;
    if (seqno % (10 * every) === 0) log.info("storing the states of old blocks", { at: seqno, to: last });
    await nextTurn();
  }
}

/** A masterchain block and the newest shard blocks at it. */
function idsAt(at: BlockIdExt, ledger: Ledger): readonly BlockIdExt[] {
  return [at, ...new ChainView(ledger, at).topIds()].filter(({ seqno }) => seqno > 0);
}
