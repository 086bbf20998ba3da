import { describe, expect, it } from "vitest";
import { parseSearch } from "../../web/browser/parseSearch.ts";
import { findRoute } from "../../web/browser/routes.ts";

const address = "EQBNdJ-XDPVhqRa0kHl_2L1cbVkIKfG1V8K4hUmaMGJdzIi0";
/** Base64 with a slash and a plus, and without. */
const plainBase64 = "EQBFao+02f4jSG2S//vvJktw++++BClOc5i94gcsUXabwAUF";
const safeBase64 = plainBase64.replaceAll("+", "-").replaceAll("/", "_");
const hash = "5b8ae31e48751e89b6f38cfe7b961133731f7317a4f3a656441c77064ce47c21";
const base64 = "W4rjHkh1Hom284z+e5YRM3Mfcxek86ZWRBx3BkzkfCE=";

const slashed = "W4rjHkh1Hom284z/e5YRM3Mfcxek86ZWRBx3BkzkfCE=";
const slashedHex = Buffer.from(slashed, "base64").toString("hex");

describe("paths of the explorer", () => {
  it.each([
    ["/", "home", []],
    [`/address/${address}`, "address", [address]],
    [`/tx/${hash}`, "tx", [hash]],
    [`/tx/${encodeURIComponent(base64)}`, "tx", [base64]],
    [`/trace/${hash}`, "trace", [hash]],
    ["/block/-1/8000000000000000/12", "block", ["-1", "8000000000000000", "12"]],
    ["/config", "config", [""]],
    ["/config/7", "config", ["7"]],
    [`/jetton/${address}`, "jetton", [address]],
    [`/nft/${address}`, "nft", [address]],
    ["/cell", "cell", []],
    ["/emulate", "emulate", []],
    ["/status", "status", []],
    ["/local", "local", []],
    ["/search", "search", []],
    ["/domain/alice.ton", "domain", ["alice.ton"]],
    ["/list/blocks", "list", ["blocks"]],
    ["/list/validators", "list", ["validators"]],
  ])("%s is the page %s", (path, name, params) => {
    expect(findRoute(path)).toEqual({ kind: "page", name, params });
  });

  it.each([
    [`/transaction/${hash}`, `/tx/${hash}`],
    [`/transaction/${hash.toUpperCase()}`, `/tx/${hash}`],
    [`/${address}`, `/address/${address}`],
    [`/a/${address}`, `/address/${address}`],
    [`/account/${address}`, `/address/${address}`],
    [`/tx/47670702000001:${encodeURIComponent(base64)}:${address}`, `/tx/${hash}`],
    [`/${plainBase64}`, `/address/${safeBase64}`],
    [`/${encodeURIComponent(plainBase64)}`, `/address/${safeBase64}`],
    [`/address/${plainBase64}`, `/address/${safeBase64}`],
    [`/jetton/${plainBase64}`, `/jetton/${safeBase64}`],
    [`/a/${plainBase64}`, `/address/${safeBase64}`],
    [`/tx/${slashed}`, `/tx/${slashedHex}`],
    [`/transaction/${slashed}`, `/tx/${slashedHex}`],
    [`/tx/47670702000001:${slashed}:${plainBase64}`, `/tx/${slashedHex}`],
  ])("%s of another explorer leads to %s", (path, to) => {
    expect(findRoute(path)).toEqual({ kind: "redirect", to });
  });

  it.each(["/nothing", "/address", "/block/1/2", "/%E0%A4%A", "/tx/a/b", "/list/none"])("%s is unknown", (path) => {
    expect(findRoute(path)).toEqual({ kind: "unknown" });
  });
});

describe("the search field", () => {
  it.each([
    ["", { kind: "nothing" }],
    [address, { kind: "path", path: `/address/${address}` }],
    [hash, { kind: "hash", hash }],
    [base64, { kind: "hash", hash }],
    [base64.replaceAll("+", "-"), { kind: "hash", hash }],
    ["1234", { kind: "seqno", seqno: 1234 }],
    ["(0,8000000000000000,12)", { kind: "path", path: "/block/0/8000000000000000/12" }],
    ["-1:8000000000000000:12", { kind: "path", path: "/block/-1/8000000000000000/12" }],
    ["Alice.ton", { kind: "domain", domain: "alice.ton" }],
    ["name.t.me", { kind: "domain", domain: "name.t.me" }],
    ["te6cckEBAQEAAgAAAEysuc0=", { kind: "bag", boc: "te6cckEBAQEAAgAAAEysuc0=" }],
    ["b5ee9c72410101010002000000 4cacb9cd", { kind: "bag", boc: "b5ee9c724101010100020000004cacb9cd" }],
    [`https://tonviewer.com/transaction/${hash}`, { kind: "path", path: `/tx/${hash}` }],
    [`https://tonviewer.com/${address}`, { kind: "path", path: `/address/${address}` }],
    [`https://tonscan.org/address/${address}`, { kind: "path", path: `/address/${address}` }],
    [`https://tonscan.org/tx/${hash}`, { kind: "path", path: `/tx/${hash}` }],
    [`https://ton.cx/tx/47670702000001:${base64}:${address}`, { kind: "path", path: `/tx/${hash}` }],
    [`https://dton.io/a/${address}`, { kind: "path", path: `/address/${address}` }],
    [`http://127.0.0.1:8081/explorer/tx/${hash}`, { kind: "path", path: `/tx/${hash}` }],
    [`ton://transfer/${address}?amount=1`, { kind: "path", path: `/address/${address}` }],
    [plainBase64, { kind: "path", path: `/address/${safeBase64}` }],
    [plainBase64.replaceAll("+", " "), { kind: "path", path: `/address/${safeBase64}` }],
    [`https://tonviewer.com/${plainBase64}`, { kind: "path", path: `/address/${safeBase64}` }],
    [`https://tonscan.org/address/${plainBase64}`, { kind: "path", path: `/address/${safeBase64}` }],
    [`https://tonscan.org/tx/${slashed}`, { kind: "path", path: `/tx/${slashedHex}` }],
    ["wallet 4", { kind: "words", words: "wallet 4" }],
    ["what is this", { kind: "words", words: "what is this" }],
  ])("recognises %j", (text, wanted) => {
    expect(parseSearch(text)).toEqual(wanted);
  });
});
