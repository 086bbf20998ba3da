import { expect, it } from "vitest";
import type { RequestOrigin } from "../../../src/api/declare/ApiVersion.ts";
import { checkControls, checkKeyless, type LocalControls } from "../../../src/api/local/controls.ts";

const own: RequestOrigin = { client: "127.0.0.1", isForwarded: false, host: "localhost:8081", origin: undefined };

function outcome(controls: LocalControls, request: Partial<RequestOrigin>): string {
  try {
    checkControls(controls, { ...own, ...request });
    return "allowed";
  } catch (error) {
    return Object(error).code;
  }
}

it.each<[string, Partial<RequestOrigin>]>([
  ["a program of this machine", {}],
  ["a program of this machine over version 6", { client: "::1", host: "[::1]:8081" }],
  ["a mapped address of loopback", { client: "::ffff:127.0.0.1" }],
  ["a page of this service", { origin: "http://localhost:8081" }],
  ["another page of this machine", { origin: "http://127.0.0.1:3000" }],
])("lets %s use the controls", (_who, request) => {
  expect(outcome("loopback", request)).toBe("allowed");
});

it.each<[string, Partial<RequestOrigin>]>([
  ["another machine", { client: "192.168.1.7" }],
  ["a caller behind a proxy that is not trusted", { isForwarded: true }],
  ["a page of another site", { origin: "https://example.com" }],
  ["a page without an origin of its own", { origin: "null" }],
  ["a page of a site whose name leads to this machine", { host: "example.com:8081" }],
  ["a page of a name that looks like this machine", { origin: "http://localhost.example.com" }],
  ["a request without a host", { host: undefined }],
])("refuses %s", (_who, request) => {
  expect(outcome("loopback", request)).toBe("api/local-controls");
});

it("lets other machines use open controls, and pages only from the same host", () => {
  const remote = { client: "192.168.1.7", host: "net.example.com" };
  expect(outcome("open", remote)).toBe("allowed");
  expect(outcome("open", { ...remote, isForwarded: true })).toBe("allowed");
  expect(outcome("open", { ...remote, origin: "https://net.example.com" })).toBe("allowed");
  expect(outcome("open", { ...remote, origin: "https://example.com" })).toBe("api/local-controls");
});

it("needs a key of other machines where keys are used", () => {
  expect(() => checkKeyless(own)).not.toThrow();
  const refused = expect.objectContaining({ code: "api/local-controls" });
  expect(() => checkKeyless({ ...own, client: "192.168.1.7" })).toThrow(refused);
  expect(() => checkKeyless({ ...own, isForwarded: true })).toThrow(refused);
});
