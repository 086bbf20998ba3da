/** Maximum number of stack entries in requests and answers, including those in tuples and lists. */
export const maxEntries = 8000;

/** The error text for a larger stack. */
export const tooManyEntries = "TVM stack size exceeds limit";
