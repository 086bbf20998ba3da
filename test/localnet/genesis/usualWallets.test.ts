import { expect, it } from "vitest";
import { findUsualWallets, usualSeed } from "../../../src/localnet/genesis/usualWallets.ts";
import { deriveKeys, newKeyRules } from "../../../src/localnet/wallets/networkKeys.ts";

it("the wallets of the usual seed are those that are derived from it", async () => {
  const { wallets } = await deriveKeys(usualSeed, newKeyRules(-777), []);
  expect(findUsualWallets(usualSeed)).toEqual(wallets.map(({ words, secret }) => ({ words, secret })));
  expect(findUsualWallets("another")).toEqual([]);
});
