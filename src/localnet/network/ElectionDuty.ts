import { writeBoc } from "../../cell/boc.ts";
import { type ElectorStorage, findElectorStorage } from "../../contracts/families/elections/electorStorage.ts";
import { isCoded } from "../../lib/errors.ts";
import type { Log } from "../../lib/log.ts";
import type { ShardAccount } from "../../model/Account.ts";
import { type Address, accountOf, makeAddress } from "../../model/Address.ts";
import { masterchain } from "../../model/block/BlockId.ts";
import { coin } from "../../model/coins.ts";
import { electorAccount } from "../genesis/genesisConfig.ts";
import type { ValidatorStake } from "../wallets/networkKeys.ts";
import { makeRecover, makeStake } from "../wallets/stake.ts";
import { signTransfers, type Transfer } from "../wallets/transfer.ts";
import { findSeqno } from "../wallets/Wallet.ts";

const elector = makeAddress(masterchain, electorAccount);
/** Comes with a stake and goes back with the confirmation. */
const stakeFee = coin;
/** What a message to the elector costs at most. */
const messageFee = coin;
const validForSeconds = 60;

/** The part of a chain that the duty needs. */
interface DutyNet {
  account(address: Address): ShardAccount;
  readonly clock: { readonly seconds: number };
  submit(boc: Uint8Array): Promise<void>;
}

interface Staker extends ValidatorStake {
  /** The last message; the wallet counts it when it is executed. */
  sent: { readonly seqno: number; readonly validUntil: number } | undefined;
}

/**
 * What the operators of a network's validators do: they stake in each election and take back what the elector returns.
 * Validators whose wallets nobody has funded take no part; the current set then stays.
 */
export class ElectionDuty {
  readonly #net: DutyNet;
  readonly #log: Log;
  readonly #stakers: readonly Staker[];

  constructor(net: DutyNet, stakes: readonly ValidatorStake[], log: Log) {
    this.#net = net;
    this.#log = log;
    this.#stakers = stakes.map((stake) => ({ ...stake, sent: undefined }));
  }

  /** Resolves when the messages that are due after a round are accepted. */
  async afterRound(): Promise<void> {
    const storage = this.#findElector();
    if (storage === undefined || (storage.election === undefined && storage.credits.isEmpty)) return;
    for (const staker of this.#stakers) {
      const seqno = findSeqno(staker.wallet.version, this.#net.account(staker.wallet.address));
      const transfer = seqno === undefined ? undefined : this.#findDue(staker, storage);
      if (seqno !== undefined && transfer !== undefined) await this.#send(staker, seqno, transfer);
    }
  }

  #findElector(): ElectorStorage | undefined {
    const account = this.#net.account(elector).account.load();
    if (account.kind !== "account" || account.storage.state.kind !== "active") return undefined;
    const { data } = account.storage.state.init;
    return data && findElectorStorage(data);
  }

  #findDue({ validator, wallet, amount, maxFactor }: Staker, storage: ElectorStorage): Transfer | undefined {
    const account = this.#net.account(wallet.address).account.load();
    if (account.kind !== "account") return undefined;
    const request = { to: elector, bounce: true };
    if (storage.credits.find(accountOf(wallet.address)) !== undefined)
      return { ...request, amount: messageFee, body: makeRecover() };
    const election = storage.election?.load();
    // The elector takes stakes until they suffice, also after the time of the election: it would stay open otherwise.
    if (election === undefined || election.finished) return undefined;
    if (election.members.find(validator.publicKey) !== undefined) return undefined;
    if (account.storage.balance.coins < amount + stakeFee + messageFee) return undefined;
    const body = makeStake(validator, { holder: wallet.address, electionId: election.electionId, maxFactor });
    return { ...request, amount: amount + stakeFee, body };
  }

  /** Sends nothing while an earlier message waits. A failure is tried again after the next round. */
  async #send(staker: Staker, seqno: number, transfer: Transfer): Promise<void> {
    const now = this.#net.clock.seconds;
    if (staker.sent !== undefined && staker.sent.seqno >= seqno && now <= staker.sent.validUntil) return;
    staker.sent = { seqno, validUntil: now + validForSeconds };
    try {
      await this.#net.submit(writeBoc(signTransfers(staker.wallet, [transfer], { seqno, now, validForSeconds })));
    } catch (error) {
      staker.sent = undefined;
      if (!isCoded(error)) throw error;
      this.#log.warn("a validator could not reach the elector; trying again", { error: error.message });
    }
  }
}
