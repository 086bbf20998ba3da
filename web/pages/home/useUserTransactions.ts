import { useEffect, useRef, useState } from "preact/hooks";
import { run } from "../../api/run.ts";
import { asAskError, type Loaded } from "../../api/useAsk.ts";
import { addTransactions, askUsers, type UserTransaction } from "./userTransactions.ts";

/** The newest transactions of users; with every block only new ones are asked for. */
export function useUserTransactions(seqno: number): Loaded<readonly UserTransaction[]> {
  const [loaded, setLoaded] = useState<Loaded<readonly UserTransaction[]>>({ kind: "loading" });
  const held = useRef<{ readonly seqno: number; readonly list: readonly UserTransaction[] }>({ seqno: 0, list: [] });
  useEffect(() => {
    const controller = new AbortController();
    // A local network that went back to a snapshot has other transactions.
    const known = seqno < held.current.seqno ? [] : held.current.list;
    run(askUsers(known[0]?.lt), controller.signal).then(
      ({ transactions }) => {
        held.current = { seqno, list: addTransactions(known, transactions) };
        setLoaded({ kind: "ok", data: held.current.list });
      },
      (error: unknown) => {
        if (!controller.signal.aborted) setLoaded({ kind: "failed", error: asAskError(error) });
      },
    );
    return () => controller.abort();
  }, [seqno]);
  return loaded;
}
