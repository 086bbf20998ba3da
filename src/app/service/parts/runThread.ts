import { Worker } from "node:worker_threads";

/** What the owner of a thread hears from it. */
export interface ThreadListener<Message> {
  readonly onMessage: (message: Message) => void;
  readonly onError: (error: Error) => void;
}

/** Runs a program in a thread of its own until it ends; when the signal aborts, the thread is told to stop. */
export function runThread<Message>(
  program: URL,
  workerData: unknown,
  { onMessage, onError }: ThreadListener<Message>,
  signal: AbortSignal,
): Promise<void> {
  const thread = new Worker(program, { workerData });
  const end = () => thread.postMessage("stop");
  signal.addEventListener("abort", end, { once: true });
  thread.on("message", onMessage);
  thread.on("error", onError);
  return new Promise((resolve) => {
    thread.on("exit", () => {
      signal.removeEventListener("abort", end);
      resolve();
    });
  });
}
