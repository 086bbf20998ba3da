import { describe, expect, it } from "vitest";
import { askContract, describeExitOf, listFailing, readErrors } from "../../web/api/contract.ts";
import type { Description } from "../../web/api/types.ts";

const account = `0:${"AB".repeat(32)}`;
const other = `0:${"CD".repeat(32)}`;

describe("the words of a contract for its exit codes", () => {
  it("come from the first of its ABIs that has the code, and are cut", () => {
    const abis = [{ errors: { "73": "not the owner" } }, {}, { errors: { "73": "other", "80": "x".repeat(300) } }];
    expect(Object.fromEntries(readErrors({ abis }))).toEqual({ "73": "not the owner", "80": `${"x".repeat(200)}…` });
  });

  it("come before the standard ones, which other accounts keep", () => {
    askContract(account).read({ abis: [{ errors: { "9": "<b>no</b>", "500": "too late" } }] });
    const codes = [9, 500, 13, 501];
    expect(codes.map((code) => describeExitOf(account, code))).toEqual([
      "9: <b>no</b>",
      "500: too late",
      "13: it ran out of gas",
      "501: a code that the contract defines itself",
    ]);
    expect(describeExitOf(other, 9)).toBe("9: a cell held less data than the code tried to read");
  });

  it("are asked for once for each account whose code failed, of at most ten", () => {
    const transaction = (address: string, success: boolean) =>
      ({ account: address, description: { compute_ph: { success } } as Description }) as const;
    expect(listFailing([transaction(account, false), transaction(other, true), transaction(account, false)])).toEqual([
      account,
    ]);
    const many = Array.from({ length: 30 }, (_, at) => transaction(`0:${String(at).padStart(64, "0")}`, false));
    expect(listFailing(many)).toHaveLength(10);
  });
});
