/** Maximum number of stack entries in requests and answers, including those in tuples and lists. */
export const mostEntries = 8000;

/** The error text for a larger stack. */
export const tooManyEntries = "TVM stack size exceeds limit";
