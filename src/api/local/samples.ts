import type { Sample } from "../declare/argument.ts";

/** An account that nobody uses: pages change it without harm. */
export const sampleAccount = { value: `0:${"ab".repeat(32)}` } satisfies Sample;

/** An empty cell. */
export const sampleBag = { value: "te6ccgEBAQEAAgAAAA==" } satisfies Sample;
