import { expect, it } from "vitest";
import { makeFacts } from "../../../../kit/contracts/corpusFacts.ts";
import { beginCell } from "../../../../src/cell/Builder.ts";
import { classify } from "../../../../src/contracts/classify.ts";
import { storeAddress } from "../../../../src/contracts/kit/knownAnswer.ts";
import { account, makeTestTrace } from "../../../kit/model/testTrace.ts";

it("a notice of a new owner is a transfer even if the payload it announces is missing", () => {
  const [wallet, item, owner, buyer] = [account("wallet"), account("item"), account("owner"), account("buyer")];
  const items = new Map([[item, { index: 5n, collection: undefined, owner, contentUri: undefined }]]);
  const notice = storeAddress(beginCell().storeUint(0x05138d91, 32).storeBigUint(7n, 64), owner).storeBit(true);
  const steps = [{ to: item, causes: [{ to: buyer, body: notice.cell() }] }];
  const { actions } = classify(makeTestTrace(wallet, steps), makeFacts({ nftItems: items }));
  expect(actions.map(({ type }) => type)).toEqual(["ton_transfer", "nft_transfer"]);
  expect(actions[1]?.details).toMatchObject({
    old_owner: owner.toUpperCase(),
    new_owner: buyer.toUpperCase(),
    forward_payload: null,
    is_purchase: false,
  });
});
