import fc from "fast-check";
import { expect, it } from "vitest";
import { describeCorpusPart, reportAbsent } from "../../../kit/suite/corpus.ts";
import type { RecordedState } from "../../../kit/tvm/tvmRecords.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import { makeLibrary } from "../../../src/cell/exotic.ts";
import type { Hash } from "../../../src/model/Hash.ts";
import { decodedEntities, decodedKinds, entityDifferences } from "../../kit/contracts/entityDifferences.ts";
import { useKnownCodes } from "../../kit/contracts/knownCodeRuns.ts";
import { accountStateOf, recordedCaller } from "../../kit/contracts/recordedCaller.ts";
import { contractData } from "../../kit/model/contractData.ts";

describeCorpusPart("data of known codes", "getmethods/*.json", (folder) => {
  const { codes, any, executor } = useKnownCodes(folder);

  /** An account with the code itself, and one with a library reference to it. */
  function accountsOf(code: Cell, data: Cell): RecordedState[] {
    const findLibrary = (hash: Hash): Cell | undefined => (hash === code.hash() ? code : undefined);
    return [code, makeLibrary(code.hash())].map((held) => ({ ...any, code: held, data, findLibrary }));
  }

  for (const [kind, { decodedCodes }] of Object.entries(decodedEntities)) {
    for (const code of decodedCodes.flatMap((hash) => codes.get(hash) ?? []).filter((code) => !code.isExotic)) {
      it(`gives the same result as the code: ${kind} ${code.hash()}`, async () => {
        const decoded = new Set<string>();
        for (const [layout, anyData] of Object.entries(contractData)) {
          for (const data of fc.sample(anyData, { numRuns: 40, seed: 1 })) {
            for (const state of accountsOf(code, data)) {
              const account = await accountStateOf(state);
              if (!decodedKinds(account).includes(kind)) continue;
              decoded.add(layout);
              const caller = recordedCaller(executor(), new Map([[state.address, state]]));
              expect({ layout, data, differences: await entityDifferences(account, caller) }).toEqual({
                layout,
                data,
                differences: [],
              });
            }
          }
        }
        expect(decoded.size).toBeGreaterThan(0);
      });
    }
  }

  const compared = new Set([...codes.keys()].flatMap((hash) => [hash, makeLibrary(hash).hash()]));
  const known = Object.values(decodedEntities).flatMap(({ decodedCodes }) => decodedCodes);
  reportAbsent(
    "the codes",
    known.filter((hash) => !compared.has(hash)),
  );
});
