import { afterAll, describe, expect, it } from "vitest";
import { isCoded } from "../../../src/lib/errors.ts";
import { fetchConfig } from "../../../src/lite/queries/config.ts";
import { TrustedChain } from "../../../src/lite/queries/TrustedChain.ts";
import { signConfigChange } from "../../../src/localnet/network/configChange.ts";
import { findInitBlock } from "../../../src/localnet/network/globalConfig.ts";
import { makeSigningKey } from "../../../src/localnet/wallets/SigningKey.ts";
import { findConfigParam, getConfigParam } from "../../../src/model/config/ConfigParams.ts";
import { checkBlocks } from "../../kit/localnet/checkDelivery.ts";
import { openChainKit } from "../../kit/localnet/localChain.ts";

const kit = await openChainKit();
afterAll(() => kit.close());

const { signal } = new AbortController();

describe("the configuration", () => {
  it("is changed by the owner's key, in a key block, and proofs lead past it", async () => {
    const { net, rounds, submit } = await kit.open().then((chain) => ({
      net: chain.net,
      rounds: (count: number) => chain.rounds(count),
      submit: chain.submit.bind(chain),
    }));
    await rounds(2);
    for (const [seqno, fee] of [
      [0, 5n],
      [1, 7n],
    ] as const) {
      const value = { masterchainBlockFee: fee, basechainBlockFee: fee };
      const change = signConfigChange(net.keys.owner, 14, value, { seqno, now: net.clock.seconds });
      await submit(change);
      const keysBefore = net.ledger.keySeqnos.length;
      await rounds(3);
      expect(net.ledger.keySeqnos.length).toBe(keysBefore + 1);
    }
    const chain = new TrustedChain({ start: net.ledger.zero.id, zeroState: net.ledger.zero.id, proofs: "check" });
    const head = await chain.head(net.lite, { signal });
    expect(head.block).toEqual(net.ledger.headId);
    const { config } = await fetchConfig(net.lite, head.block, { signal });
    expect(getConfigParam(config, 14)).toEqual({ masterchainBlockFee: 7n, basechainBlockFee: 7n });
    expect(findConfigParam(config, 19)).toBe(-777);
    const newestKey = net.ledger.keySeqnos.at(-1) ?? 0;
    expect(findInitBlock(net.ledger)).toEqual(net.ledger.getMaster(newestKey).id);
    checkBlocks(net.ledger);
  });

  it("is not changed by anybody else, nor by a repeated message", async () => {
    const chain = await kit.open();
    const { net } = chain;
    const value = { masterchainBlockFee: 1n, basechainBlockFee: 1n };
    const stranger = makeSigningKey(new Uint8Array(32).fill(3));
    const options = { seqno: 0, now: net.clock.seconds };
    const exitCode = async (message: ReturnType<typeof signConfigChange>): Promise<unknown> =>
      chain.submit(message).then(
        () => "accepted",
        (error: unknown) =>
          isCoded(error, "lite/server") ? String(error.data.serverMessage).match(/exitcode=(\d+)/)?.[1] : error,
      );
    expect(await exitCode(signConfigChange(stranger, 14, value, options))).toBe("34");
    const change = signConfigChange(net.keys.owner, 14, value, options);
    expect(await exitCode(change)).toBe("accepted");
    await chain.rounds(1);
    expect(await exitCode(change)).toBe("33");
    expect(await exitCode(signConfigChange(net.keys.owner, 14, value, { seqno: 1, now: 1 }))).toBe("35");
  });
});
