import { writeSha256 } from "../../lib/browser/sha256.ts";

/** In the place of that of `sha256.ts`, for browsers, which have nothing faster. */
export const sha256Into = writeSha256;
