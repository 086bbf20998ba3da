import { describe, expect, it } from "vitest";
import { beginCell } from "../../../src/cell/Builder.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import { signOffered } from "../../../src/localnet/offer/signOffered.ts";
import { makeComment } from "../../../src/localnet/wallets/transfer.ts";
import { makeAddress } from "../../../src/model/Address.ts";
import { openChainKit } from "../../kit/localnet/localChain.ts";

const kit = await openChainKit();
const to = makeAddress(0, "ab".repeat(32));

function hashesOf(cell: Cell): readonly string[] {
  return [cell.hash(), ...Array.from({ length: cell.refCount }, (_, at) => hashesOf(cell.ref(at))).flat()];
}

describe("a signed transfer", () => {
  it("has the given body, or else the comment, and bounces where that is wanted", async () => {
    const { net } = await kit.open();
    const [{ wallet } = expect.unreachable("no wallet")] = net.keys.wallets;
    const body = beginCell().storeUint(7, 32).storeRef(makeComment("within")).cell();
    const comment = makeComment("hello");
    const sign = (given: Cell | undefined, bounce: boolean) => {
      const wanted = { from: wallet.address, to, amount: 5n, comment: "hello", validForSeconds: 60 };
      return hashesOf(signOffered(net, { ...wanted, body: given, bounce }).body);
    };
    const has = (hashes: readonly string[]) => [body, comment].map((cell) => hashes.includes(cell.hash()));
    expect([has(sign(body, true)), has(sign(undefined, true))]).toEqual([
      [true, false],
      [false, true],
    ]);
    expect(sign(body, true)).not.toEqual(sign(body, false));
    expect(sign(body, true)).toEqual(sign(body, true));
  });
});
