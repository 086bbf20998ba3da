import { describe, expect, it } from "vitest";
import { beginCell, emptyCell } from "../../../../src/cell/Builder.ts";
import { storeCell } from "../../../../src/cell/codec.ts";
import { makeDictionary } from "../../../../src/cell/dictionary.ts";
import { hashKey, uintKey } from "../../../../src/cell/keys.ts";
import {
  ComplaintStatus,
  CurrentElection,
  ElectorStorage,
  Frozen,
  findElectorStorage,
  Member,
  PastElection,
  ValidatorComplaint,
} from "../../../../src/contracts/families/elections/electorStorage.ts";
import { Coins } from "../../../../src/model/Currency.ts";
import type { Hash } from "../../../../src/model/Hash.ts";
import { itHoldsForRandom } from "../../../kit/cell/checkCodec.ts";
import {
  anyComplaint,
  anyComplaintStatus,
  anyElection,
  anyElectorStorage,
  anyFrozen,
  anyMember,
  anyPastElection,
} from "../../../kit/contracts/electorValues.ts";

describe("the storage of an elector", () => {
  itHoldsForRandom("Member", Member, anyMember);
  itHoldsForRandom("CurrentElection", CurrentElection, anyElection, 50);
  itHoldsForRandom("ValidatorComplaint", ValidatorComplaint, anyComplaint);
  itHoldsForRandom("ComplaintStatus", ComplaintStatus, anyComplaintStatus, 50);
  itHoldsForRandom("Frozen", Frozen, anyFrozen);
  itHoldsForRandom("PastElection", PastElection, anyPastElection, 30);
  itHoldsForRandom("ElectorStorage", ElectorStorage, anyElectorStorage, 20);

  it("is not found in data that does not parse to the last bit", () => {
    const whole = {
      election: undefined,
      credits: makeDictionary(hashKey, Coins, []),
      pastElections: makeDictionary(uintKey(32), PastElection, []),
      coins: 7n,
      activeId: 3,
      activeHash: "ab".repeat(32) as Hash,
    };
    const data = storeCell(ElectorStorage, whole);
    const found = findElectorStorage(data);
    expect(found && storeCell(ElectorStorage, found).hash()).toBe(data.hash());
    const builder = beginCell();
    ElectorStorage.store(builder, whole);
    expect(findElectorStorage(builder.storeBit(false).cell())).toBeUndefined();
    expect(findElectorStorage(emptyCell)).toBeUndefined();
  });
});
