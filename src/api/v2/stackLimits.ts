/** How many entries a stack may have on its way in and out, those inside of tuples and lists counted. */
export const mostEntries = 8000;

/** The error text for a larger stack. */
export const tooManyEntries = "TVM stack size exceeds limit";
