import { describe, expect, it } from "vitest";
import { action, type ShownAction } from "../../../../src/api/v3/shapes/actions.ts";
import { makeAddress } from "../../../../src/model/Address.ts";
import { type Hash, hashToBase64 } from "../../../../src/model/Hash.ts";

const id = "ab".repeat(32) as Hash;
const account = makeAddress(0, "cd".repeat(32));

function shown(details: ShownAction["head"]["details"]): ShownAction {
  return {
    head: {
      traceId: id,
      actionId: id,
      shownType: "unknown",
      startLt: 1n,
      endLt: 2n,
      startUtime: 3,
      endUtime: 4,
      traceEndLt: 5n,
      traceEndUtime: 6,
      traceMcSeqnoEnd: 7,
      traceExternalHash: undefined,
      traceExternalHashNorm: undefined,
      success: true,
      transactions: [id],
      accounts: [account],
      details,
    },
    withAccounts: false,
    transactions: undefined,
    finality: "finalized",
  };
}

describe("an action of a type without details", () => {
  it("is shown as stored", () => {
    const { raw_action: raw } = action.encode(shown({ error: "unsupported action type: 'unknown'" }));
    expect(raw).toEqual({
      trace_id: hashToBase64(id),
      action_id: hashToBase64(id),
      type: "unknown",
      start_lt: "1",
      end_lt: "2",
      start_utime: 3,
      end_utime: 4,
      trace_end_lt: "5",
      trace_end_utime: 6,
      trace_mc_seqno_end: 7,
      tx_hashes: [hashToBase64(id)],
      accounts: [`0:${"CD".repeat(32)}`],
      success: true,
    });
  });

  it("is the only kind shown this way", () => {
    expect(action.encode(shown({ value: "1" })).raw_action).toBeUndefined();
  });
});

describe("an action that belongs to a relayed request", () => {
  it("has the id of the request beside its details, not among them", () => {
    const { details, parent_gasless_action: parent } = action.encode(
      shown({ value: "1", parent_gasless_action: hashToBase64(id) }),
    );
    expect({ details, parent }).toEqual({ details: { value: "1" }, parent: hashToBase64(id) });
  });

  it("is the only kind that has the key", () => {
    expect(action.encode(shown({ value: "1" })).parent_gasless_action).toBeUndefined();
  });
});
