import { describe, expect, it } from "vitest";
import { libErrorCodes } from "../../src/lib/errors.ts";

describe("the codes of lib", () => {
  it("start with the room's name", () => {
    for (const code of Object.keys(libErrorCodes)) expect(code).toMatch(/^lib\/[a-z0-9]+(-[a-z0-9]+)*$/);
  });
});
