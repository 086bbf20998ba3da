import { blake2b } from "@noble/hashes/blake2.js";
import * as sha3 from "@noble/hashes/sha3.js";
import { rareFamilies } from "../machine/interpreter/instructions.ts";

/** Functions and instructions that most get-methods do without. */
export const rarePackages = { sha3, blake2b };
export const rareInstructions = Object.values(rareFamilies).flat();
