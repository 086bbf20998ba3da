import type { ComponentChildren } from "preact";
import { describeExitOf } from "../../api/contract.ts";
import type { Description, Transaction } from "../../api/types.ts";
import { formatCount } from "../../format/coins.ts";
import { explainAction, explainSkip } from "../../format/exitCodes.ts";
import { Panel } from "../../parts/Panel.tsx";
import { ShareBar } from "../../parts/ShareBar.tsx";
import { Table } from "../../parts/Table.tsx";
import { Badge, Coins, type Tone } from "../../parts/values.tsx";
import type { TransactionPanel } from "./TransactionPanel.ts";

interface Phase {
  readonly name: string;
  /** The purpose of the phase. */
  readonly about: string;
  readonly tone: Tone;
  readonly result: ComponentChildren;
  readonly fee: string | undefined;
}

/** The phases of a transaction, each with its result in words. */
export function Phases({ transaction, from }: TransactionPanel) {
  const phases = listPhases(transaction);
  const total = phases.reduce((sum, { fee }) => sum + BigInt(fee ?? 0), 0n);
  return (
    <Panel title="Phases" from={[from]} note="A transaction runs in these steps; bars compare their fees.">
      <Table title="Phases" columns={["Phase", "Result", ">Fee"]}>
        {phases.map(({ name, about, tone, result, fee }) => (
          <tr key={name}>
            <td data-label="Phase">
              <div>
                <strong>{name}</strong>
                <div class="small muted">{about}</div>
              </div>
            </td>
            <td data-label="Result">
              <div>
                <Badge tone={tone}>{tone === "good" ? "ok" : tone === "bad" ? "failed" : "skipped"}</Badge> {result}
              </div>
            </td>
            <td class="right" data-label="Fee">
              <div>
                <Coins value={fee} />
                {fee !== undefined && <ShareBar part={BigInt(fee)} whole={total} />}
              </div>
            </td>
          </tr>
        ))}
      </Table>
    </Panel>
  );
}

function listPhases({ description, account }: Transaction): Phase[] {
  return [
    storagePhase(description),
    creditPhase(description),
    computePhase(description, account),
    actionPhase(description),
    bouncePhase(description),
  ].flatMap((phase) => phase ?? []);
}

function storagePhase({ storage_ph: phase }: Description): Phase | undefined {
  if (phase === undefined) return undefined;
  const { status_change: change = "unchanged", storage_fees_due: due } = phase;
  return {
    name: "Storage",
    about: "pays for keeping the account",
    tone: change === "unchanged" ? "good" : "bad",
    result: (
      <>
        {change === "unchanged"
          ? "Paid"
          : change === "frozen"
            ? "The account was frozen for debt"
            : "The account was deleted for debt"}
        {due !== undefined && (
          <>
            , still owed: <Coins value={due} />
          </>
        )}
      </>
    ),
    fee: phase.storage_fees_collected,
  };
}

function creditPhase({ credit_ph: phase }: Description): Phase | undefined {
  if (phase === undefined) return undefined;
  return {
    name: "Credit",
    about: "adds the coins of the message",
    tone: "good",
    result: (
      <>
        Received <Coins value={phase.credit ?? "0"} />
      </>
    ),
    fee: phase.due_fees_collected,
  };
}

function computePhase({ compute_ph: phase, aborted }: Description, account: string): Phase | undefined {
  if (phase === undefined) return undefined;
  const common = { name: "Compute", about: "runs the code of the contract" };
  const reason = aborted === false ? "set by hand" : explainSkip(phase.reason ?? "");
  if (phase.skipped === true) return { ...common, tone: "plain", result: `No code ran: ${reason}`, fee: undefined };
  const { gas, fees } = sortOut(phase);
  // An external message begins without coins of its own: the limit is the account's once it accepts.
  const limit = (phase.gas_limit ?? "0") === "0" ? "" : ` of ${formatCount(phase.gas_limit ?? "0")}`;
  return {
    ...common,
    tone: phase.success === true ? "good" : "bad",
    result: (
      <>
        Exit code {describeExitOf(account, phase.exit_code ?? 0)}
        {phase.exit_arg !== undefined && <> (argument {phase.exit_arg})</>}.
        <div class="small muted">
          {formatCount(gas)} gas{limit}, {formatCount(phase.vm_steps ?? 0)} steps
          {phase.account_activated === true && ", the account got its code"}
          {phase.mode === 1 && ", signatures not checked"}
        </div>
      </>
    ),
    fee: fees,
  };
}

/** The API swaps gas and fees if the fees are lower than the gas, such as for system contracts, which pay nothing. */
function sortOut(phase: NonNullable<Description["compute_ph"]>): { readonly gas: string; readonly fees: string } {
  const { gas_used: gas = "0", gas_fees: fees = "0", vm_steps: steps = 0 } = phase;
  return gas === "0" && steps > 0 ? { gas: fees, fees: gas } : { gas, fees };
}

function actionPhase({ action: phase }: Description): Phase | undefined {
  if (phase === undefined) return undefined;
  const {
    result_code: code = 0,
    msgs_created: created = 0,
    tot_actions: total = 0,
    skipped_actions: skipped = 0,
  } = phase;
  const messages = `${created} message${created === 1 ? "" : "s"} sent by ${total} action${total === 1 ? "" : "s"}`;
  return {
    name: "Action",
    about: "sends messages, changes code",
    tone: phase.success === true ? "good" : "bad",
    result: (
      <>
        {phase.success === true ? "" : `Result code ${code}: ${explainAction(code)}. `}
        {messages}
        {skipped > 0 && `, ${skipped} skipped`}
        {phase.no_funds === true && ", the funds did not suffice"}
      </>
    ),
    fee: phase.total_action_fees,
  };
}

const bounces: Readonly<Record<string, string>> = {
  ok: "The coins went back to the sender",
  nofunds: "Too few coins to send them back",
  negfunds: "No coins to send back",
};

function bouncePhase({ bounce: phase }: Description): Phase | undefined {
  if (phase === undefined) return undefined;
  return {
    name: "Bounce",
    about: "sends the coins back after a failure",
    tone: phase.type === "ok" ? "good" : "bad",
    result: bounces[phase.type] ?? phase.type,
    fee: phase.msg_fees,
  };
}
