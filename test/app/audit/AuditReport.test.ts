import { expect, it } from "vitest";
import { AuditReport } from "../../../src/app/audit/AuditReport.ts";
import { styleFor } from "../../../src/app/terminal/style.ts";

it("shows the text of an audited service without what a terminal would obey", () => {
  const report = new AuditReport();
  const question = { operation: "getTokenData", args: { address: "a\u001b[1m" } };
  const [evil, shown] = ["\u001b[2J\u202e\nequal", "\\u001b[2J\\u202e\\u000aequal"];
  report.add(question, { kind: "refused", reason: `500: ${evil}` });
  report.add(question, {
    kind: "different",
    disagreements: [
      { path: `name${evil}`, proved: "x", answered: evil },
      { path: "", proved: { a: evil }, answered: [evil] },
    ],
    proved: { result: {}, headSeqno: 7, proof: undefined },
    answered: {},
  });
  const quoted = shown.replace("\\u000a", "\\n");
  expect(report.format(styleFor({})).split("\n")).toEqual([
    "operation     equal  DIFFERENT  other block  refused  unproved",
    "getTokenData      ·          1            ·        1         ·",
    "",
    "Without comparison",
    `  getTokenData refused: 500: ${shown}`,
    "",
    "Differences",
    "  getTokenData(address=a\\u001b[1m), proved at block 7",
    `    name${shown}: the chain says x, the service says ${shown}`,
    `    the answer: the chain says {"a":"${quoted}"}, the service says ["${quoted}"]`,
    "",
  ]);
});
