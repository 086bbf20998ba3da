import fc from "fast-check";
import { expect, it } from "vitest";
import { beginCell } from "../../../../src/cell/Builder.ts";
import { isPlainWallet, readWallet } from "../../../../src/contracts/families/wallet/PlainWallet.ts";
import { interfacesOf } from "../../../../src/contracts/interfaces.ts";
import { parseHash } from "../../../../src/model/Hash.ts";
import { anyCell } from "../../../kit/model/modelValues.ts";

const v1r3 = parseHash("WHzHie/xyE9G7DeX5F/ICaFP9a4k8eDHpqmcydyQYf8=");
const v3r2 = parseHash("hNr6RJ+Ypph3ibojI1gHK8D3bcRSQAKl0JGLmnXS1Zk=");
const v5r1 = parseHash("IINLe3KxEhR+Gy+0V7hOdNGjDwT3N9T2KmaOlVLSty8=");
const v5beta = parseHash("89fKU0k97trCizgZhqhJQDy6w9LFhHea8IEGWvCsS5M=");
const telegram = parseHash("kUmuUcHkaJcQzr94MCl7Fqz7rbNjqSClN4k+f/7sp2g=");
const laterBeta = parseHash("5M87L0xtamHqDytUR9JmeFsmrzY32y3u5rzRqoJvNBI=");

it("reads the data of each version, unsigned", () => {
  const data = beginCell().storeUint(0xfffffff0, 32).storeUint(0xffffffff, 32).storeUint(0, 8).cell();
  const flagged = beginCell().storeBit(false).storeUint(4, 32).storeUint(0x7fffff11, 32).cell();
  expect(readWallet(v1r3, data)).toEqual({ type: "wallet v1 r3", seqno: 0xfffffff0 });
  expect(readWallet(v3r2, data)).toEqual({ type: "wallet v3 r2", seqno: 0xfffffff0, walletId: 0xffffffff });
  expect(readWallet(v5r1, flagged)).toEqual({
    type: "wallet v5 r1",
    seqno: 4,
    walletId: 0x7fffff11,
    isSignatureAllowed: false,
  });
});

it("reads the Telegram wallet after its revision, and sends to it without bounce", () => {
  const data = beginCell().storeUint(2, 8).storeUint(5, 32).storeUint(0x80000001, 32).storeBigUint(1n, 256).cell();
  expect(readWallet(telegram, data)).toEqual({ type: "tg-wallet", seqno: 5, walletId: 0x80000001 });
  expect(isPlainWallet(telegram)).toBe(true);
  expect(interfacesOf({ codeHash: telegram, methods: undefined })).toEqual(["tg_wallet"]);
});

it("recognises only the first code of the version 5 beta as a wallet", () => {
  expect([v5beta, laterBeta].map(isPlainWallet)).toEqual([true, false]);
});

it("returns a wallet or none, whatever the data", () => {
  fc.assert(
    fc.property(fc.constantFrom(v1r3, v3r2, v5r1, laterBeta), anyCell, (code, data) => {
      expect(["undefined", "object"]).toContain(typeof readWallet(code, data));
    }),
  );
});
