import fc from "fast-check";
import { describe } from "vitest";
import { unit } from "../../../src/cell/codec.ts";
import { uintKey } from "../../../src/cell/keys.ts";
import { ConfigProposal, ConfigProposalStatus } from "../../../src/model/config/ConfigProposal.ts";
import { itHoldsForRandom } from "../../kit/cell/checkCodec.ts";
import {
  anyCell,
  anyHash,
  anyInt32,
  anySignedBig,
  anyUint8,
  anyUint16,
  anyUint32,
  orAbsent,
} from "../../kit/model/modelValues.ts";
import { anyDictionary } from "../../kit/model/validatorValues.ts";

const proposal = fc.record({ paramId: anyInt32, value: orAbsent(anyCell), ifHashEqual: orAbsent(anyHash) });

describe("proposals to change the configuration", () => {
  itHoldsForRandom("ConfigProposal", ConfigProposal, proposal);
  itHoldsForRandom(
    "ConfigProposalStatus",
    ConfigProposalStatus,
    fc.record({
      expiresAt: anyUint32,
      proposal,
      isCritical: fc.boolean(),
      voters: anyDictionary(uintKey(16), unit, anyUint16, fc.constant<true>(true)),
      remainingWeight: anySignedBig(64),
      validatorSetId: anyHash,
      roundsRemaining: anyUint8,
      wins: anyUint8,
      losses: anyUint8,
    }),
  );
});
