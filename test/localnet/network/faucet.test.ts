import { afterAll, describe, expect, it } from "vitest";
import { Faucet } from "../../../src/localnet/network/faucet.ts";
import { makeAddress } from "../../../src/model/Address.ts";
import { listTransactions } from "../../kit/localnet/ledgerTransactions.ts";
import { openChainKit } from "../../kit/localnet/localChain.ts";

const kit = await openChainKit();
afterAll(() => kit.close());

const to = makeAddress(0, "a".repeat(64));

describe("a posted gift", () => {
  it("is identified by its message before any block has it, and is sent by that message", async () => {
    const chain = await kit.open();
    const faucet = new Faucet({}, { net: chain.net });
    const { messageHash, sent } = await faucet.post(to, 42n);
    expect(chain.balance(to)).toBe(0n);
    await chain.rounds(2);
    expect(await sent).toEqual({ masterSeqno: expect.any(Number), messageHash });
    expect(chain.balance(to)).toBe(42n);
    const arrived = listTransactions(chain.net.ledger).map(({ messages }) => messages.in?.cell.hash());
    expect(arrived).toContain(messageHash);
  });

  it("fails when the faucet is closed, and cannot be posted any more", async () => {
    const chain = await kit.open();
    const faucet = new Faucet({}, { net: chain.net });
    const { sent } = await faucet.post(to, 42n);
    faucet.close();
    await expect(sent).rejects.toMatchObject({ code: "localnet/closed" });
    await expect(faucet.post(to, 42n)).rejects.toMatchObject({ code: "localnet/closed" });
  });

  it("is rejected before anything is signed if it is too much", async () => {
    const chain = await kit.open();
    const faucet = new Faucet({ max: 10n }, { net: chain.net });
    await expect(faucet.post(to, 11n)).rejects.toMatchObject({ code: "localnet/amount" });
    expect(chain.net.pending).toBe(0);
  });
});
