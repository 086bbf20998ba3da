import { expect, it } from "vitest";
import { withoutAddresses } from "../../src/history/errors.ts";

it.each([
  ["connect ECONNREFUSED 10.1.2.3:5432", "connect ECONNREFUSED …"],
  ["connect ECONNREFUSED ::1:5432", "connect ECONNREFUSED …"],
  ["connect ECONNREFUSED fd00:1::7:5432", "connect ECONNREFUSED …"],
  ["connect ENOENT /var/run/postgresql/.s.PGSQL.5432", "connect ENOENT …"],
  ["getaddrinfo ENOTFOUND db.internal", "getaddrinfo ENOTFOUND …"],
  ["write CONNECT_TIMEOUT db-1.internal:5432", "write CONNECT_TIMEOUT …"],
  ["no answer of postgres://user@db/index", "no answer of …"],
  ["relation blocks does not exist", "relation blocks does not exist"],
])("leaves addresses out of %s", (text, expected) => {
  expect(withoutAddresses(text)).toBe(expected);
});
