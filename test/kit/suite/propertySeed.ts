import fc from "fast-check";

// A run of the suite can be repeated: its properties are tried with the same values. Another number tries other ones.
const seed = Number(process.env.TONGATE_PROPERTY_SEED ?? 1);
if (!Number.isSafeInteger(seed)) throw new Error("TONGATE_PROPERTY_SEED is not a whole number");
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed });
