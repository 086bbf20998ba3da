import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../../lib/clock.ts";
import { isCoded } from "../../lib/errors.ts";
import { writeWhole } from "../../lib/files/writeWhole.ts";
import { type Demo, makeDemo } from "../../localnet/demo/Demo.ts";
import { playDemo } from "../../localnet/demo/playDemo.ts";
import { demoHistorySeconds } from "../../localnet/demo/staking.ts";
import type { Localnet } from "../../localnet/network/Localnet.ts";

export type DemoChoice = "on" | "off";

export interface DemoModules {
  readonly clock: Clock;
  /** Prints the time it took. */
  readonly write: (text: string) => void;
}

/** The demo set of a network, available once it is made. */
export interface OpenDemo {
  readonly find: () => Demo | undefined;
  /** What it has once it is made; absent if it is switched off. */
  readonly planned: Demo | undefined;
  /** Makes what is missing. When that fails it prints the reason and resolves. */
  readonly make: () => Promise<void>;
}

const fileName = "demo";

/** The choice for the chain of a folder: the current one, or the last stored one. */
export function rememberDemo(folder: string, demoChoice: DemoChoice | undefined): DemoChoice {
  const { choice, kept } = findChoice(folder, demoChoice);
  if (choice !== kept) writeWhole(join(folder, fileName), new TextEncoder().encode(`${choice}\n`));
  return choice;
}

/** How long ago the chain of a folder begins: a demo set shows the elections of that time. */
export function historyOf(folder: string, demoChoice: DemoChoice | undefined): number {
  return findChoice(folder, demoChoice).choice === "off" ? 0 : demoHistorySeconds;
}

function findChoice(folder: string, demoChoice: DemoChoice | undefined) {
  const path = join(folder, fileName);
  const kept = existsSync(path) ? readFileSync(path, "utf8").trim() : undefined;
  const choice: DemoChoice = demoChoice ?? (kept === "off" ? "off" : "on");
  return { choice, kept };
}

/** The demo set of a network, if enabled; nothing happens before `make`. */
export function openDemo(net: Localnet, choice: DemoChoice, modules: DemoModules): OpenDemo {
  if (choice === "off") return { find: () => undefined, planned: undefined, make: async () => {} };
  const planned = makeDemo(net.keys);
  let made: Demo | undefined;
  const make = async (): Promise<void> => {
    made = await makeMissing(net, planned, modules).catch((error: unknown) => {
      if (!isCoded(error)) throw error;
      // The network works without it, and the next start continues it.
      if (error.code !== "localnet/closed") modules.write(`the demo contracts are not complete: ${error.message}\n`);
      return undefined;
    });
  };
  return { find: () => made, planned, make };
}

async function makeMissing(net: Localnet, demo: Demo, { clock, write }: DemoModules): Promise<Demo | undefined> {
  const [startedAt, before] = [clock.monotonic(), net.ledger.headId.seqno];
  const outcome = await playDemo(net, demo);
  switch (outcome.kind) {
    case "present":
      return demo;
    case "kept":
      return outcome.contracts.length === 0 ? undefined : { ...demo, contracts: outcome.contracts };
    case "refused":
      write("no demo contracts: wallets 1 to 5, which deploy them, were used for something else before\n");
      return undefined;
    case "made": {
      const seconds = ((clock.monotonic() - startedAt) / 1_000).toFixed(1);
      write(`the demo contracts were deployed in ${seconds} s and ${net.ledger.headId.seqno - before} blocks\n`);
      return demo;
    }
  }
}
