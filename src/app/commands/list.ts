import { abi } from "../abi/abi.ts";
import type { Command } from "../Command.ts";
import { account } from "./account.ts";
import { advance } from "./advance.ts";
import { audit } from "./audit.ts";
import { block } from "./block.ts";
import { call } from "./call.ts";
import { makeCompletion } from "./completion.ts";
import { config } from "./config.ts";
import { control } from "./control.ts";
import { db } from "./db.ts";
import { demo } from "./demo.ts";
import { doctor } from "./doctor.ts";
import { faucet } from "./faucet.ts";
import { fork } from "./fork.ts";
import { index } from "./indexing.ts";
import { keys } from "./keys.ts";
import { localnet } from "./localnet.ts";
import { mcp } from "./mcp.ts";
import { replay } from "./replay.ts";
import { send } from "./send.ts";
import { serve } from "./serve.ts";
import { snapshot } from "./snapshot.ts";
import { version } from "./version.ts";
import { wallets } from "./wallets.ts";

/** All commands, in the order in which help shows them. */
export const commands: readonly Command[] = [
  ...[serve, index, db, localnet, wallets, demo, faucet, advance, block, control, snapshot, fork],
  ...[account, call, send, replay, audit, mcp, keys, abi, config, doctor, version],
  makeCompletion(() => commands),
];
