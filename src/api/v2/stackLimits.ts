/** How many entries a stack may have on its way in and out, those inside of tuples and lists counted. */
export const mostEntries = 8000;

/** What is said of a stack with more. */
export const tooManyEntries = "TVM stack size exceeds limit";
