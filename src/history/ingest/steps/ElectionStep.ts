import {
  askElectorState,
  type ElectorState,
  readElectorState,
} from "../../../contracts/families/elections/ElectorState.ts";
import type { PastElection } from "../../../contracts/families/elections/electorStorage.ts";
import { isCoded } from "../../../lib/errors.ts";
import { makeAddress } from "../../../model/Address.ts";
import { masterchain } from "../../../model/block/BlockId.ts";
import type { Config } from "../../../model/config/ConfigParams.ts";
import type { Hash } from "../../../model/Hash.ts";
import { methodId } from "../../../model/vm/methodId.ts";
import type { VmValues } from "../../../model/vm/VmValue.ts";
import type { RunBlock, StateRunner } from "../../meaning/StateRunner.ts";
import { type ElectionRows, noElections, type ValidatorRow } from "../../store/schema/validatorTables.ts";
import type { AccountAfter, DecodedBatch } from "../decode/DecodedBatch.ts";
import { listComplainedElections, makeComplaintRows } from "../decode/elections/complaintRows.ts";
import {
  findElectionOf,
  makeCycleRow,
  makeElectionRows,
  makeMemberRows,
  makeSuspendedRow,
} from "../decode/elections/electionRows.ts";
import { type ConfiguredSet, listSets } from "../decode/elections/validatorSets.ts";
import { beginsWithElection, type ElectionChange, findElectionChange, hashElection } from "../states/electionChange.ts";

export interface ElectionModules {
  readonly runner: Pick<StateRunner, "getConfig" | "fetchState" | "findMethods" | "callerAt">;
}

/** One block, and the accounts that it changed. */
export interface ElectionBlock {
  readonly decoded: DecodedBatch;
  readonly accounts: readonly AccountAfter[];
  readonly runBlock: RunBlock;
  /** Whether everything is read, as at the first block of an index: no earlier rows are there. */
  readonly isStart: boolean;
}

/** The elector after a block. */
type ElectorAccount = Pick<AccountAfter, "address" | "code" | "data">;

/** What a block makes necessary to read. */
interface Reading {
  readonly election: ElectionChange | undefined;
  /** Whether the validator sets and the complaints of the current and the previous one are read. */
  readonly isKey: boolean;
  /** Elections whose complaints may have changed. */
  readonly complained: ReadonlySet<number>;
}

/** Gas for a get-method of the elector: to list many votes takes more than others may have. */
const electorGas = 1_000_000_000n;
const nothing: ReadonlySet<number> = new Set();
const noElector: ElectorState = { election: undefined, pastElections: new Map() };

/**
 * Reads elections, validator sets and complaints from the elector and the configuration. The elector changes with every
 * block and has hundreds of kilobytes: what a block did not change is not read.
 */
export class ElectionStep {
  readonly #runner: ElectionModules["runner"];
  /** The election after the last block, and the code of the elector. */
  #lastElection: { readonly hash: Hash | undefined; readonly code: Hash | undefined } | undefined;
  /** Sets whose members are written, with the stakes that were known then. */
  #written: ReadonlyMap<Hash, Hash | undefined> = new Map();

  constructor({ runner }: ElectionModules) {
    this.#runner = runner;
  }

  /** The rows of a block; the blocks of one step come in order. */
  async read(block: ElectionBlock): Promise<ElectionRows> {
    const { decoded, accounts, runBlock, isStart } = block;
    const { elector: account, keyConfig } = decoded.batch;
    const elector = account === undefined ? undefined : makeAddress(masterchain, account);
    const changed = elector && accounts.findLast(({ address }) => address === elector);
    const reading: Reading = {
      election: isStart ? { before: undefined } : changed && this.#findChange(changed, decoded),
      isKey: isStart || keyConfig !== undefined,
      complained: changed === undefined ? nothing : listComplainedElections(decoded.transactions, changed.address),
    };
    if (reading.election === undefined && !reading.isKey && reading.complained.size === 0) return noElections;
    const after = changed ?? (elector && (await this.#runner.fetchState(elector, runBlock)));
    for (const open of after === undefined ? [] : this.#listReaders(after, runBlock)) {
      try {
        const state = await open();
        if (state !== undefined) return await this.#makeRows(block, state, reading);
      } catch (error) {
        // The next way may succeed. An elector that cannot be read tells nothing, and must not block indexing.
        if (!isUnreadable(error)) throw error;
      }
    }
    return this.#makeRows(block, noElector, reading);
  }

  #findChange({ address, code, data }: AccountAfter, { batch }: DecodedBatch): ElectionChange | undefined {
    const last = this.#lastElection;
    const codeHash = code?.hash(0);
    // Every block changes the coins of the elector, which is not worth reading all of its data.
    if (data && last && codeHash === last.code && beginsWithElection(data, last.hash)) return undefined;
    this.#lastElection = data && { hash: hashElection(data), code: codeHash };
    if (data === undefined || (last !== undefined && last.hash === this.#lastElection?.hash)) return undefined;
    return findElectionChange(batch.master, address, data);
  }

  /** The storage is read directly where it has the known layout; otherwise get-methods are run. */
  #listReaders(account: ElectorAccount, runBlock: RunBlock): readonly (() => Promise<ElectorState | undefined>)[] {
    const { address, code, data } = account;
    if (code === undefined || data === undefined) return [];
    const ask = async (method: string, stack: VmValues): Promise<VmValues | undefined> => {
      const methods = await this.#runner.findMethods(code, runBlock);
      if (methods?.ids?.includes(methodId(method)) !== true) return undefined;
      const outcome = await this.#runner.callerAt(runBlock, electorGas).ask(address, method, stack);
      return outcome.kind === "ok" ? outcome.stack : undefined;
    };
    return [async () => readElectorState(data), () => askElectorState(ask)];
  }

  async #makeRows(
    { decoded, runBlock }: ElectionBlock,
    state: ElectorState,
    { election, isKey, complained }: Reading,
  ): Promise<ElectionRows> {
    const { mcSeqno, keyConfig } = decoded.batch;
    const isOpen = election !== undefined && state.election !== undefined;
    const rows = isOpen ? makeElectionRows(state.election, election.before, mcSeqno) : noElections;
    if (!isKey && complained.size === 0) return { ...noElections, ...rows };
    const config = keyConfig ?? (await this.#runner.getConfig(runBlock));
    const sets = listSets(config);
    const complaints = sets.flatMap((set) => {
      const past = findElectionOf(state, set);
      // Complaints about elections of other sets than the current and the previous one are never read.
      if (set.param === 36 || past === undefined || !(isKey || complained.has(past[0]))) return [];
      return makeComplaintRows({ electionId: past[0], past: past[1], set }, sets, mcSeqno);
    });
    const cycles = isKey ? this.#makeCycles(state, sets, config, runBlock) : noElections;
    const suspended = isKey ? [makeSuspendedRow(config, runBlock.keySeqno)] : [];
    return { ...noElections, ...rows, ...cycles, complaints, suspended };
  }

  #makeCycles(
    state: ElectorState,
    sets: readonly ConfiguredSet[],
    config: Config,
    { keySeqno }: RunBlock,
  ): Pick<ElectionRows, "cycles" | "members"> {
    const written = new Map<Hash, Hash | undefined>();
    const cycles = new Map<number, ValidatorRow<"cycles">>();
    const members: ValidatorRow<"members">[] = [];
    for (const set of sets) {
      if (cycles.has(set.sinceAt)) continue;
      const past = findElectionOf(state, set);
      cycles.set(set.sinceAt, makeCycleRow(set, past, config, keySeqno));
      const stakes = hashStakes(past?.[1]);
      written.set(set.hash, stakes);
      const isWritten = this.#written.has(set.hash) && this.#written.get(set.hash) === stakes;
      if (!isWritten) members.push(...makeMemberRows(set, past?.[1]));
    }
    this.#written = written;
    return { cycles: [...cycles.values()], members };
  }
}

function hashStakes(past: PastElection | undefined): Hash | undefined {
  return past?.frozen.root?.hash();
}

/** Whether an error says that data is not what it should be; others say that it could not be read now. */
function isUnreadable(error: unknown): boolean {
  return isCoded(error) && /^(?:cell|contracts|model)\//.test(error.code);
}
