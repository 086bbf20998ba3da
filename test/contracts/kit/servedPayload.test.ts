import { expect, it } from "vitest";
import { beginCell } from "../../../src/cell/Builder.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import { jettonTransferBody } from "../../../src/contracts/families/jetton/messages.ts";
import { nftTransferBody } from "../../../src/contracts/families/nft/messages.ts";
import { storeAddress } from "../../../src/contracts/kit/knownAnswer.ts";
import { servedPayload } from "../../../src/contracts/kit/servedPayload.ts";
import { account } from "../../kit/model/testTrace.ts";

const [custom, more] = [beginCell().storeUint(1, 8).cell(), beginCell().storeUint(2, 8).cell()];

type Place = "inline" | "ref";

/** A transfer with the number 5 in 32 bits as payload, and perhaps a custom payload. */
function transferOf(kind: "jetton" | "nft", position: Place, withCustom: boolean, refs: readonly Cell[]): Cell {
  const start = beginCell()
    .storeUint(kind === "jetton" ? 0x0f8a7ea5 : 0x5fcc3d14, 32)
    .storeBigUint(7n, 64);
  const parties = storeAddress(
    storeAddress(kind === "jetton" ? start.storeCoins(9n) : start, account("a")),
    account("b"),
  );
  const body = (withCustom ? parties.storeBit(true).storeRef(custom) : parties.storeBit(false)).storeCoins(1n);
  const payload = position === "inline" ? body.storeBit(false) : beginCell();
  payload.storeUint(5, 32);
  for (const ref of refs) payload.storeRef(ref);
  return position === "inline" ? body.cell() : body.storeBit(true).storeRef(payload.cell()).cell();
}

function refsOf(kind: "jetton" | "nft", body: Cell): readonly string[] | undefined {
  const payloads = (kind === "jetton" ? jettonTransferBody : nftTransferBody).find(body);
  return (
    payloads &&
    servedPayload(body, payloads)
      ?.refs()
      .map((ref) => ref.hash())
  );
}

it.each(["jetton", "nft"] as const)(
  "an inline payload of %s begins with the custom payload, as in the service",
  (kind) => {
    expect(refsOf(kind, transferOf(kind, "inline", true, []))).toEqual([custom.hash()]);
    expect(refsOf(kind, transferOf(kind, "inline", true, [more]))).toEqual([custom.hash(), more.hash()]);
  },
);

it.each(["jetton", "nft"] as const)("any other payload of %s is shown as it is", (kind) => {
  expect(refsOf(kind, transferOf(kind, "inline", false, [more]))).toEqual([more.hash()]);
  expect(refsOf(kind, transferOf(kind, "ref", true, [more]))).toEqual([more.hash()]);
  expect(refsOf(kind, transferOf(kind, "ref", false, []))).toEqual([]);
});
