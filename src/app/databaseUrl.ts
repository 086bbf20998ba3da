import { makeArg } from "../lib/kit/arg.ts";

/** The location of a PostgreSQL. */
export const databaseUrl = makeArg({
  schema: { type: "string" },
  allowed: "an address that begins with postgres:// or postgresql://",
  read: (value) =>
    typeof value === "string" && /^postgres(?:ql)?:\/\/./.test(value) && URL.canParse(value) ? value : undefined,
});
