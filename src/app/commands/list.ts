import type { Command } from "../Command.ts";
import { about } from "./about.ts";
import { version } from "./version.ts";

/** All commands, in the order in which help shows them. */
export const commands: readonly Command[] = [about, version];
