import type { MachineInput } from "../machine/MachineRun.ts";

/** In the place of that of `stepLog.ts`, for the client, which asks for no log. */
export class StepLog {
  readonly listener: MachineInput["onStep"] = undefined;

  textWith(): string {
    return "";
  }
}
