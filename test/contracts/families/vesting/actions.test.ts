import { expect, it } from "vitest";
import { beginCell } from "../../../../src/cell/Builder.ts";
import type { Cell } from "../../../../src/cell/Cell.ts";
import { storeAddress } from "../../../../src/contracts/kit/knownAnswer.ts";
import type { Address } from "../../../../src/model/Address.ts";
import { bodyWith, describeActions, raw } from "../../../kit/contracts/shownActions.ts";
import { account, comment, makeTestTrace, query, type Step } from "../../../kit/model/testTrace.ts";

const [user, vesting, friend] = [account("user"), account("vesting"), account("friend")];

/** A message of 5 nanocoins to a friend; without a body only its head can be read. */
function wrapped(body: Cell | undefined): Cell {
  // int_msg_info$0 ihr_disabled bounce bounced src:addr_none dest value extra ihr_fee fwd_fee created_lt created_at
  const info = storeAddress(beginCell().storeUint(0b0110, 4).storeUint(0, 2), friend);
  const head = info.storeCoins(5n).storeBit(false).storeCoins(0n).storeCoins(0n).storeBigUint(0n, 64).storeUint(0, 32);
  return body === undefined ? head.cell() : head.storeBit(false).storeBit(true).storeRef(body).cell();
}

/** Whether a vesting contract that sends `sent` has done what it was told. */
function succeeds(message: Cell, sent: readonly Step[]): unknown {
  const body = bodyWith(0xa7733acd, (b) => b.storeUint(2, 8).storeRef(message));
  const causes = [{ to: user, body: query(0xf7733acd) }, ...sent];
  const actions = describeActions(makeTestTrace(user, [{ to: vesting, body, causes }]), {});
  return actions.find(({ type }) => type === "vesting_send_message")?.success;
}

const send = (to: Address, body: Cell, value: bigint): Step => ({ to, body, value });

it("a message is sent when one with its body goes to its receiver, whatever the value", () => {
  const message = wrapped(comment("hello"));
  expect(succeeds(message, [send(friend, comment("hello"), 4n)])).toBe(true);
  expect(succeeds(message, [send(friend, comment("other"), 5n)])).toBe(false);
  expect(succeeds(message, [send(user, comment("hello"), 5n)])).toBe(false);
});

it("a message that the contract dropped is not sent, though it answers", () => {
  expect(succeeds(wrapped(comment("hello")), [])).toBe(false);
});

it("a message of which only the head can be read is known by its value", () => {
  expect(succeeds(wrapped(undefined), [send(friend, comment("hello"), 5n)])).toBe(true);
  expect(succeeds(wrapped(undefined), [send(friend, comment("hello"), 4n)])).toBe(false);
});

it("external orders have no source", () => {
  const describe = (body: Cell, answer: number) =>
    describeActions(makeTestTrace(vesting, [{ to: user, body: query(answer) }], body), {})[0];
  const send = bodyWith(0xa7733acd, (b) => b.storeUint(2, 8).storeRef(wrapped(comment("hello"))));
  const details = { source: null, vesting: raw(vesting) };
  expect(describe(send, 0xf7733acd)).toMatchObject({ type: "vesting_send_message", details });
  const list = bodyWith(0x7258a69b, (b) => storeAddress(b, friend));
  expect(describe(list, 0xf258a69b)).toMatchObject({ type: "vesting_add_whitelist", details });
});
