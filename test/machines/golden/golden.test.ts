import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { initialTransition, transition } from 'xstate';
import {
  statePath,
  type TransactionEvent,
  type TransactionTerms,
  transactionMachine,
} from '../../../machines/index.ts';

/**
 * Histories that were lived through once must end the same for ever. A chart may be changed only so that all of these
 * still fold to what they recorded; a change that is meant to alter the past needs a new version of the machine.
 *
 * `UPDATE_GOLDEN=1 npx vitest run test/machines/golden` records the ends anew, for a chart nobody has run yet.
 */
interface GoldenJournal {
  readonly what: string;
  readonly machine: string;
  readonly version: string;
  readonly terms: TransactionTerms;
  readonly events: readonly TransactionEvent[];
  readonly webhooks: readonly unknown[];
  readonly end: { readonly state: string; readonly status: string; readonly context: unknown };
}

const FOLDER = new URL('.', import.meta.url);
const files = readdirSync(FOLDER).filter((name) => name.endsWith('.json'));

describe('golden journals', () => {
  it('are there', () => {
    expect(files.length).toBeGreaterThanOrEqual(8);
  });

  it.each(files)('%s still folds to its recorded end', (name) => {
    const path = new URL(name, FOLDER);
    const golden: GoldenJournal = JSON.parse(readFileSync(path, 'utf8'));
    const folded = fold(golden);
    if (process.env.UPDATE_GOLDEN === '1') {
      const { what, terms, events } = golden;
      const { id: machine, version } = transactionMachine;
      writeFileSync(path, `${JSON.stringify({ what, machine, version, terms, events, ...folded }, null, 2)}\n`);
      return;
    }
    expect(golden.machine).toBe(transactionMachine.id);
    expect(golden.version).toBe(transactionMachine.version);
    expect(folded).toEqual({ webhooks: golden.webhooks, end: golden.end });
  });
});

// Helpers

function fold({ terms, events }: GoldenJournal): Pick<GoldenJournal, 'webhooks' | 'end'> {
  let [snapshot, actions] = initialTransition(transactionMachine, terms);
  const webhooks = [...notificationsOf(actions)];
  for (const event of events) {
    [snapshot, actions] = transition(transactionMachine, snapshot, event);
    webhooks.push(...notificationsOf(actions));
  }
  const end = { state: statePath(snapshot.value), status: snapshot.status, context: snapshot.context };
  return JSON.parse(JSON.stringify({ webhooks, end }));
}

function notificationsOf(actions: readonly { readonly type: string; readonly params: unknown }[]): unknown[] {
  return actions.filter((action) => action.type === 'notifyMerchant').map((action) => action.params);
}
