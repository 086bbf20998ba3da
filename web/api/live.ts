import { useEffect, useState } from "preact/hooks";
import { v3 } from "./ask.ts";
import { about } from "./features.ts";
import { AskError, run } from "./run.ts";
import { openStream } from "./stream.ts";

/** How pages get updates. */
export type LiveMode = "starting" | "stream" | "polling" | "offline";

export interface Head {
  readonly seqno: number;
  /** Unix seconds of the block. */
  readonly at: number;
  readonly mode: LiveMode;
}

const pollMs = 1_000;
const slowPollMs = 5_000;

let head: Head = { seqno: 0, at: 0, mode: "starting" };
const listeners = new Set<() => void>();

function setHead(next: Partial<Head>): void {
  const changed = { ...head, ...next };
  if (changed.seqno === head.seqno && changed.mode === head.mode) return;
  head = changed;
  for (const listener of listeners) listener();
}

/** The newest block of the index, and how the page learned of it. */
export function useHead(): Head {
  const [seen, setSeen] = useState(head);
  useEffect(() => {
    const update = () => setSeen(head);
    listeners.add(update);
    update();
    return () => {
      listeners.delete(update);
    };
  }, []);
  return seen;
}

/** Starts following the chain; never stops. */
export function followHead(): void {
  if (!about().streaming) {
    void poll();
    return;
  }
  openStream(
    { types: ["blocks"] },
    {
      onEvent: ({ mc_block: block }) => {
        if (block !== undefined) setHead({ seqno: block.seqno, at: Number(block.gen_utime), mode: "stream" });
      },
      onState: (state) => {
        if (state === "refused") void poll();
        else setHead({ mode: state === "open" ? "stream" : "offline" });
      },
    },
  );
  // A chain without new blocks sends no event, so the first head is requested.
  void askHead("stream");
}

async function askHead(mode: LiveMode): Promise<void> {
  try {
    const { last } = await run(v3("masterchainInfo"));
    setHead({ seqno: last.seqno, at: Number(last.gen_utime), mode });
  } catch (error) {
    if (!(error instanceof AskError)) throw error;
    setHead({ mode: "offline" });
    if (error.status === 429) await pause(slowPollMs);
  }
}

async function poll(): Promise<never> {
  for (;;) {
    if (document.visibilityState === "visible") await askHead("polling");
    await pause(head.mode === "offline" ? slowPollMs : pollMs);
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Changes when the account may have changed; without a stream, with new blocks. */
export function useNews(address: string | undefined): number {
  const { seqno, mode } = useHead();
  const [version, setVersion] = useState(0);
  const isStreamed = about().streaming;
  useEffect(() => {
    if (!isStreamed || address === undefined) return;
    const stream = openStream(
      { types: ["transactions", "actions"], addresses: [address], min_finality: "pending" },
      { onEvent: () => setVersion((former) => former + 1), onState: () => undefined },
    );
    return () => stream.close();
  }, [address, isStreamed]);
  // With polling, data is reloaded at every third block, because a page has several requests.
  return mode === "polling" ? Math.floor(seqno / 3) : version;
}
