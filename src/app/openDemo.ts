import type { Clock } from "../lib/clock.ts";
import { type Demo, makeDemo } from "../localnet/demo/Demo.ts";
import { playDemo } from "../localnet/demo/playDemo.ts";
import type { Localnet } from "../localnet/Localnet.ts";

export type DemoChoice = "on" | "off";

export interface DemoModules {
  readonly clock: Clock;
  /** Where progress is printed. */
  readonly write: (text: string) => void;
}

/** Makes the demo set of a network, if requested and possible. */
export async function openDemo(
  net: Localnet,
  choice: DemoChoice,
  { clock, write }: DemoModules,
): Promise<Demo | undefined> {
  if (choice === "off") return undefined;
  const demo = makeDemo(net.keys);
  const [startedAt, before] = [clock.monotonic(), net.ledger.headId.seqno];
  const { kind } = await playDemo(net, demo);
  switch (kind) {
    case "present":
      return demo;
    case "refused":
      write("no demo set: it is made by wallets 1 to 5, which were used for something else before\n");
      return undefined;
    case "made": {
      const seconds = ((clock.monotonic() - startedAt) / 1_000).toFixed(1);
      write(`the demo set was made in ${seconds} s, by ${net.ledger.headId.seqno - before} blocks\n`);
      return demo;
    }
  }
}
