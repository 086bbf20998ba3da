import { expect, it } from "vitest";
import { IncomingBytes } from "../../../../src/api/stream/websocket/IncomingBytes.ts";

it("ends the connections that hold the most once all hold more than 32 MiB", () => {
  const incoming = new IncomingBytes();
  const ended: string[] = [];
  const holder = (name: string) => ({ giveUp: () => void ended.push(name) });
  const [small, large, larger] = [holder("small"), holder("large"), holder("larger")];
  incoming.set(small, 1_000);
  incoming.set(large, 12 << 20);
  incoming.set(larger, 20 << 20);
  expect(ended).toEqual(["larger"]);

  incoming.set(large, 0);
  incoming.set(small, 32 << 20);
  expect(ended).toEqual(["larger"]);
  incoming.set(large, 1);
  expect(ended).toEqual(["larger", "small"]);
});
