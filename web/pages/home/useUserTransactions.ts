import { useEffect, useRef, useState } from "preact/hooks";
import { type Loaded, runLoaded, useRefresher } from "../../api/useAsk.ts";
import { addTransactions, askUsers, type UserTransaction } from "./userTransactions.ts";

/** The newest transactions of users; with every block only new ones are asked for. */
export function useUserTransactions(seqno: number): Loaded<readonly UserTransaction[]> {
  const [loaded, setLoaded] = useState<Loaded<readonly UserTransaction[]>>({ kind: "loading" });
  const held = useRef<{ readonly seqno: number; readonly list: readonly UserTransaction[] }>({ seqno: 0, list: [] });
  const refresh = useRefresher("", async (signal) => {
    // A local network that went back to a snapshot has other transactions.
    const known = seqno < held.current.seqno ? [] : held.current.list;
    const newer = await runLoaded(askUsers(known[0]?.lt), signal);
    if (signal.aborted) return;
    if (newer.kind !== "ok") return setLoaded(newer);
    held.current = { seqno, list: addTransactions(known, newer.data.transactions) };
    setLoaded({ kind: "ok", data: held.current.list });
  });
  useEffect(refresh, [seqno]);
  return loaded;
}
