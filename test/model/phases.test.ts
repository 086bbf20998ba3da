import { describe, expect, it } from "vitest";
import { cellOf } from "../../kit/cell/anyCell.ts";
import { loadCell, storeCell } from "../../src/cell/codec.ts";
import {
  ActionPhase,
  BouncePhase,
  ComputePhase,
  CreditPhase,
  StatusChange,
  StoragePhase,
  StorageUsed,
} from "../../src/model/phases.ts";
import { itHoldsForRandom } from "../kit/cell/checkCodec.ts";
import {
  anyActionPhase,
  anyBouncePhase,
  anyComputePhase,
  anyCreditPhase,
  anyStoragePhase,
  anyUsed,
} from "../kit/model/transactionValues.ts";
import { refusalCode } from "../kit/suite/refusal.ts";

describe("phases of transactions", () => {
  itHoldsForRandom("StorageUsed", StorageUsed, anyUsed);
  itHoldsForRandom("StoragePhase", StoragePhase, anyStoragePhase);
  itHoldsForRandom("CreditPhase", CreditPhase, anyCreditPhase);
  itHoldsForRandom("ComputePhase", ComputePhase, anyComputePhase);
  itHoldsForRandom("ActionPhase", ActionPhase, anyActionPhase);
  itHoldsForRandom("BouncePhase", BouncePhase, anyBouncePhase);

  it("skip computing for one of four reasons", () => {
    const reasons = ["000", "001", "010", "0110"].map((bits) => loadCell(ComputePhase, cellOf(bits)));
    expect(reasons).toEqual(
      ["noState", "badState", "noGas", "suspended"].map((reason) => ({ kind: "skipped", reason })),
    );
    expect(refusalCode(() => loadCell(ComputePhase, cellOf("0111")))).toBe("cell/tag");
  });

  it("change the status of an account in one of three ways", () => {
    const changes = ["0", "10", "11"].map((bits) => loadCell(StatusChange, cellOf(bits)));
    expect(changes).toEqual(["unchanged", "frozen", "deleted"]);
  });

  it("count cells and bits in at most six bytes", () => {
    expect(refusalCode(() => storeCell(StorageUsed, { cells: 2 ** 48, bits: 0 }))).toBe("cell/range");
  });
});
