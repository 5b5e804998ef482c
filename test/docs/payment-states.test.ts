import { describe, expect, test } from 'vitest';
import { PAYMENT_EVENTS, PUBLIC_STATES, TRANSACTION_EXCEPTIONS, TRANSACTION_STATUSES } from '../../machines/index.ts';
import { readDocument, tableRows } from './markdown.ts';

const HEADER = ['State', 'Meaning', 'Webhook', 'What your shop does', 'What can still change'];
const ROWS = tableRows(readDocument('docs/merchants/payment-states.md'), HEADER);
const STATES = ROWS.map(([state = '']) => state);

describe('the table of payment states for shops', () => {
  test('has one row for each combination of status and exception that the chart can show', () => {
    const shown = Object.values(PUBLIC_STATES).map(({ status, exception }) =>
      exception === null ? status : `${status} + ${exception}`,
    );
    expect(STATES.toSorted()).toEqual([...new Set(shown)].toSorted());
  });

  test('has every status and every exception of the API', () => {
    const named = STATES.flatMap((state) => state.split(' + '));
    expect(new Set(named)).toEqual(new Set([...TRANSACTION_STATUSES, ...TRANSACTION_EXCEPTIONS]));
  });

  test('names each payment event once, next to the state that it announces', () => {
    const events = ROWS.flatMap(([, , webhook = '']) => webhook.match(/payment\.\w+/g) ?? []);
    expect(events.toSorted()).toEqual(PAYMENT_EVENTS.toSorted());
    const sent = tableRows(readDocument('docs/merchants/webhooks.md'), ['Event', 'Sent when', 'status in it']);
    for (const [event = '', , status = ''] of sent) {
      const [state] = ROWS.find(([, , webhook = '']) => new RegExp(`${event}\\b`).test(webhook)) ?? [];
      expect(state?.split(' + ')[0], event).toBe(status);
    }
  });

  test('states in every row the meaning, the action to take, and the possible next states', () => {
    for (const row of ROWS) for (const cell of row) expect(cell, row[0]).not.toBe('');
  });
});
