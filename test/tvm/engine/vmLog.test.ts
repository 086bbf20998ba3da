import { describe, expect, it } from "vitest";
import { readVmLog } from "../../../src/tvm/engine/vmLog.ts";

describe("the log of the machine", () => {
  it.each(["CONFIGROOT", "CONFIGDICT", "GETPARAMLONG 9", "PUSH c7", "PUSHCTRX", "GETGLOBVAR"])(
    "tells that code saw the whole configuration: %s",
    (name) => {
      const log = `execute DROP\nexecute ${name}\nexecute implicit RET\n`;
      expect(readVmLog(log)).toEqual({ sawConfigRoot: true, missedLibrary: false });
    },
  );

  it.each(["CONFIGPARAM", "GETPARAMLONG 90", "PUSH c4", "POP c7", "GETGLOB 1", "PUSHSLICE x{PUSH c7}"])(
    "does not mistake %s for that",
    (name) => expect(readVmLog(`execute ${name}\n`)).toEqual({ sawConfigRoot: false, missedLibrary: false }),
  );

  it("tells that a library was not there", () => {
    const log = "handling exception code 9: failed to load library cell\n";
    expect(readVmLog(log)).toEqual({ sawConfigRoot: false, missedLibrary: true });
  });
});
