import type { Answer, Job } from "./protocol.ts";

/**
 * One machine that runs jobs one after the other, away from the main thread. It is opened, runs one job at a time, and
 * is destroyed; a job under way then fails with the reason given. A job that breaks the machine fails with `tvm/crash`
 * and leaves the thread unusable; input that the machine refuses is `tvm/input` and does no harm.
 */
export interface Thread {
  /** Resolves when the first job may come; rejects when the machine cannot be started. */
  readonly opened: Promise<void>;
  /** Whether another job may come: not after a crash, nor once it has grown beyond what is good. */
  readonly isUsable: boolean;
  run(job: Job): Promise<Answer>;
  destroy(reason: Error): void;
}
