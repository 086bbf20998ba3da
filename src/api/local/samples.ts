import type { Sample } from "../declare/argument.ts";

/** An account that nobody uses: pages change it without harm. */
export const sampleAccount = { value: `0:${"ab".repeat(32)}` } satisfies Sample;

/** An empty cell. */
export const sampleBag = { value: "te6ccgEBAQEAAgAAAA==" } satisfies Sample;

/** An internal message from that account to itself. */
export const sampleMessage = {
  value:
    "te6ccgEBAgEAWwABq0gBV1dXV1dXV1dXV1dXV1dXV1dXV1dXV1dXV1dXV1dXV1cAKurq6urq6urq6urq6urq6urq6urq6urq6urq6urq6urQ7msoAAAAAAAAAAAAAAAAAADAAQAA",
} satisfies Sample;

/** The entry of an account that does not exist. */
export const sampleShardAccount = {
  value: "te6ccgEBAgEALgABUAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABAAFA",
} satisfies Sample;

/** A configuration with the parameter -999 only. */
export const sampleConfig = { value: "te6ccgEBAgEACgABCqD///wZAQAA" } satisfies Sample;
