import type { Observation, Watcher } from '../../../../../src/chains/index.ts';
import { chainEventCommand } from '../../../../../src/payments/watching/chain-events.ts';
import { type ActorRun, startRun } from '../../../../machines/transaction/actor-run.ts';
import { TERMS } from '../../../../machines/transaction/terms.ts';
import { address, COIN } from '../../../../support/nodes/fake-evm-node.ts';
import type { EvmHarness } from '../harness.ts';

/** A payment in ETH that receives what a watcher reports, in that order. */
export interface NotifiedPayment {
  readonly run: ActorRun;
  /** Passes on what was reported since the last call. */
  receive(): void;
  /** Verifies its outputs that are in blocks, after passing on everything. */
  confirmAll(): Promise<void>;
}

export interface NotifiedPaymentOptions {
  readonly dueBaseUnits: string;
  readonly confirmationsRequired: number;
  readonly windowMs: number;
  readonly observations: readonly Observation[];
  readonly watcher: () => Watcher;
  readonly now: () => number;
}

export function openNotifiedPayment(options: NotifiedPaymentOptions): NotifiedPayment {
  const { dueBaseUnits, confirmationsRequired, windowMs, observations, watcher, now } = options;
  const terms = { crypto: 'ETH', dueBaseUnits, toleranceBaseUnits: '0', confirmationsRequired, windowMs } as const;
  const run = startRun({ ...TERMS, ...terms, createdAt: now() });
  let read = observations.length;
  function receive(): void {
    for (const observation of observations.slice(read)) {
      const { event } = chainEventCommand('txn', observation);
      run.send({ ...event, at: now() } as Parameters<ActorRun['send']>[0]);
    }
    read = observations.length;
  }
  return {
    run,
    receive,
    async confirmAll() {
      receive();
      const { outputs } = run.view().context;
      const waiting = outputs.filter(({ presence, confirmedAt }) => presence === 'block' && confirmedAt === null);
      const requested = waiting.map(({ outputId, txid, amountBaseUnits, firstSeenAt, height: reportedHeight }) => {
        const paid = { watchKey: address(0), asset: COIN, amountBaseUnits: BigInt(amountBaseUnits) };
        const output = { outputId, txid, firstSeenAt, spends: [], ...paid };
        return { requiredConfirmations: confirmationsRequired, reportedHeight, output };
      });
      if (requested.length > 0) await watcher().verify({ outputs: requested });
      receive();
    },
  };
}

/** Fires the timers that the watermark has passed, and verifies what the payment asks for. */
export async function passTimers(at: EvmHarness, { run, confirmAll }: NotifiedPayment): Promise<void> {
  const timers = [...run.timers.values()];
  for (const { timer, at: dueAt } of timers) {
    const now = at.clock.now();
    if (timer === 'depth_reached') {
      const { height } = at.node.best();
      if (dueAt <= height) run.send({ type: 'timer.depth_reached', at: now, height: dueAt });
    } else if (dueAt < now) run.send({ type: `timer.${timer}`, at: now, dueAt } as Parameters<typeof run.send>[0]);
  }
  if (run.takeVerification() !== undefined) await confirmAll();
}
