import { expect, it } from "vitest";
import { makeFacts } from "../../../../kit/contracts/corpusFacts.ts";
import { type Builder, beginCell } from "../../../../src/cell/Builder.ts";
import type { Cell } from "../../../../src/cell/Cell.ts";
import { classify } from "../../../../src/contracts/classify.ts";
import { storeAddress } from "../../../../src/contracts/kit/knownAnswer.ts";
import { account, makeTestTrace, type Step } from "../../../kit/model/testTrace.ts";

const [wallet, minter, owner, jettonWallet] = [account("wallet"), account("minter"), account("owner"), account("jw")];
const facts = makeFacts({ jettonWallets: new Map([[jettonWallet, { owner, jetton: minter }]]) });

const arrival: Step = {
  to: jettonWallet,
  body: storeAddress(storeAddress(start(0x178d4519).storeCoins(50n), minter), wallet)
    .storeCoins(0n)
    .storeBit(false)
    .cell(),
};

function start(opcode: number): Builder {
  return beginCell().storeUint(opcode, 32).storeBigUint(7n, 64);
}

// addr_extern$01 len:(## 9) external_address:(bits len)
function storeExternal(builder: Builder): Builder {
  return builder.storeUint(0b01, 2).storeUint(8, 9).storeUint(5, 8);
}

const receivers: readonly (readonly [string, (builder: Builder) => Builder])[] = [
  ["an account", (builder) => storeAddress(builder, owner)],
  ["nobody", (builder) => builder.storeUint(0, 2)],
  ["an external address", storeExternal],
];

const forms: readonly (readonly [string, (store: (builder: Builder) => Builder) => Cell])[] = [
  ["0x642b7d07", (store) => store(start(0x642b7d07)).storeCoins(3n).cell()],
  ["0x15", (store) => store(start(0x15)).storeCoins(3n).storeRef(start(0x178d4519).storeCoins(50n).cell()).cell()],
];

function listTypes(step: Step): readonly (readonly [string, boolean | undefined])[] {
  return classify(makeTestTrace(wallet, [step]), facts).actions.map(({ type, success }) => [type, success]);
}

for (const [form, mint] of forms) {
  it.each(receivers)(`a mint of form ${form} that arrives is an action, addressed to %s`, (_name, store) => {
    expect(listTypes({ to: minter, body: mint(store), causes: [arrival] })).toEqual([["jetton_mint", true]]);
  });

  it.each(receivers.slice(0, 2))(
    `a mint of form ${form} that fails is a failed action, addressed to %s`,
    (_, store) => {
      expect(listTypes({ to: minter, body: mint(store), aborted: true })).toEqual([["jetton_mint", false]]);
      expect(listTypes({ to: minter, body: mint(store) })).toEqual([["jetton_mint", false]]);
    },
  );

  it(`a mint of form ${form} to an external address that fails is no jetton_mint`, () => {
    expect(listTypes({ to: minter, body: mint(storeExternal), aborted: true })).toEqual([["call_contract", false]]);
    expect(listTypes({ to: minter, body: mint(storeExternal) })).toEqual([["call_contract", true]]);
  });
}
