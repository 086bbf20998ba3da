import { expect, it } from "vitest";
import { deriveKeys, newKeyRules } from "../../../src/localnet/genesis/networkKeys.ts";
import { findUsualWallets, usualSeed } from "../../../src/localnet/genesis/usualWallets.ts";

it("the wallets of the usual seed are those that are derived from it", async () => {
  const { wallets } = await deriveKeys(usualSeed, newKeyRules(-777), []);
  expect(findUsualWallets(usualSeed)).toEqual(wallets.map(({ words, secret }) => ({ words, secret })));
  expect(findUsualWallets("another")).toEqual([]);
});
