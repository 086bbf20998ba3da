import fc from "fast-check";
import { expect, it } from "vitest";
import { describeCorpusPart, reportAbsent } from "../../../kit/suite/corpus.ts";
import { statusWalletAddress, walletAddress } from "../../../src/contracts/families/jetton/walletAddress.ts";
import { itemAddress, itemContent } from "../../../src/contracts/families/nft/itemOf.ts";
import { findKnownAnswer } from "../../../src/contracts/findKnownAnswer.ts";
import { addressValue, cellValue, intValue } from "../../../src/contracts/kit/stackValues.ts";
import type { VmStack } from "../../../src/model/vm/VmStack.ts";
import { useKnownCodes } from "../../kit/contracts/knownCodeRuns.ts";
import { contractData } from "../../kit/model/contractData.ts";
import { anyAddress, anyBig, anyCell } from "../../kit/model/modelValues.ts";
import { stackHash } from "../../kit/model/stackHash.ts";

const argumentsOf = {
  get_wallet_address: anyAddress.map((owner) => [addressValue(owner)]),
  get_nft_address_by_index: fc.oneof(anyBig(8), anyBig(64)).map((index) => [intValue(index)]),
  get_nft_content: fc.tuple(anyBig(64), anyCell).map(([index, own]) => [intValue(index), cellValue(own)]),
};

describeCorpusPart("results that are known without a run", "getmethods/*.json", (folder) => {
  const { codes, any, executor } = useKnownCodes(folder);

  for (const known of [walletAddress, statusWalletAddress, itemAddress, itemContent]) {
    const method = known.method as keyof typeof argumentsOf;
    reportAbsent(
      `codes of ${method}`,
      known.codes.filter((hash) => !codes.has(hash)),
    );
    for (const hash of known.codes) {
      const code = codes.get(hash);
      if (code === undefined) continue;
      it(`equal the results of the code: ${method} ${hash}`, async () => {
        let compared = 0;
        for (const data of fc.sample(fc.oneof(...Object.values(contractData)), { numRuns: 300, seed: 2 })) {
          const [stack = []] = fc.sample<VmStack>(argumentsOf[method], { numRuns: 1, seed: compared });
          const answer = findKnownAnswer({ address: any.address, codeHash: hash, data }, method, stack);
          if (answer === undefined) continue;
          const outcome = await executor().runGetMethod({ ...any, code, data, method, stack });
          compared++;
          expect({ exitCode: outcome.exitCode, stack: stackHash(outcome.stack) }).toEqual({
            exitCode: 0,
            stack: stackHash(answer),
          });
        }
        expect(compared).toBeGreaterThan(0);
      });
    }
  }
});
