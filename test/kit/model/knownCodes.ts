import { readFormat, readJson } from "../../../kit/suite/corpus.ts";
import { asList, asRecord } from "../../../kit/suite/record.ts";
import { cellOf } from "../../../kit/tvm/tvmRecords.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import type { Hash } from "../../../src/model/Hash.ts";
import { fixtureFolder } from "./fixtureChain.ts";

/** Codes of contracts in the corpus and in the recorded accounts of the repository, by hash. */
export function readKnownCodes(folder: string): ReadonlyMap<Hash, Cell> {
  const formats = ["ton-contract-catalog/1", "ton-contract-codes/1"];
  return new Map(
    formats
      .flatMap((format) => readFormat(folder, "contracts", format))
      .flatMap(({ contracts }) => asList(contracts).map(asRecord))
      .flatMap((each) => (each.codes === undefined ? [each] : asList(each.codes).map(asRecord)))
      .map(({ code_boc: boc }) => boc)
      .concat(
        asList(asRecord(readJson(fixtureFolder, "contracts.json.gz")).accounts).map((each) => asRecord(each).code),
      )
      .flatMap((boc) => (boc === undefined || boc === null ? [] : [cellOf(boc)]))
      .map((code): [Hash, Cell] => [code.hash(), code]),
  );
}
