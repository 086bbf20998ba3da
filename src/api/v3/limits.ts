/** A request may name a thousand accounts in its URL. */
export const v3MaxUrlBytes = 131_072;
