import { expect, test } from 'vitest';
import { deliveryMachine, PUBLIC_STATES, scheduleMachine, transactionMachine } from '../../machines/index.ts';
import type { FoldableChart } from '../../src/http/console/contract/charts.ts';
import { operatorEventsOf } from '../../src/operations/actions/operator-events.ts';
import { listCharts } from '../../src/operations/actors/charts.ts';
import { dwellLimitMs, limitedStatesOf } from '../../src/operations/actors/dwell-limits.ts';
import { eventSourceOf } from '../../src/operations/journal/journal.ts';
import { createEmbeddedDatabase } from '../support/database/embedded-database.ts';
import { createInstallation } from './installation.ts';

const database = await createEmbeddedDatabase();
const { kinds } = createInstallation(database);
const charts: readonly FoldableChart[] = listCharts(kinds);
await database.drop();

test('every registered chart is listed under its own id and version', () => {
  expect(charts.map(({ kind, version }) => [kind, version])).toEqual(
    [transactionMachine, deliveryMachine, scheduleMachine].map(({ id, version }) => [id, version]),
  );
});

test('the leaves of the transaction chart are those that the API maps', () => {
  const leaves = chart('transaction').states.filter(({ type }) => type !== 'compound');
  expect(leaves.map(({ path }) => path).sort()).toEqual(Object.keys(PUBLIC_STATES).sort());
});

test('a state shows what it waits for, inherited from its parent if needed', () => {
  const states = new Map(chart('transaction').states.map((state) => [state.path, state]));
  expect(states.get('open.partiallyPaid')).toMatchObject({
    parent: 'open',
    type: 'atomic',
    isInitial: false,
    waitsFor: 'the customer',
    entry: ['touch', 'notifyPartial'],
  });
  expect(states.get('open.inReview')).toMatchObject({ waitsFor: 'the merchant', exit: ['endReview'] });
  for (const path of ['expired.watching', 'failed']) expect(states.get(path)?.waitsFor).toBe('late coins');
  expect(states.get('open')).toMatchObject({ parent: '', type: 'compound', isInitial: true });
  expect(states.get('closedFailed')).toMatchObject({ type: 'final', waitsFor: null });
});

test('transitions of one event are listed in the order of their guards', () => {
  const failed = chart('delivery').transitions.filter(({ event }) => event === 'sender.attempt_failed');
  expect(failed).toMatchObject([
    { from: 'sending', to: 'failed', guard: 'isBlocked', actions: ['recordFailure'], order: 0 },
    { from: 'sending', to: 'failed', guard: 'isLastAttempt', actions: ['recordFailure'], order: 1 },
    {
      from: 'sending',
      to: 'waiting',
      guard: 'isCurrentAttempt',
      actions: ['recordFailure', 'scheduleRetry'],
      order: 2,
    },
  ]);
  const always = chart('transaction').transitions.filter(({ event, from }) => event === 'always' && from === '');
  expect(always).toMatchObject([
    { to: null, guard: 'depthTimerIsStale', actions: ['moveDepthTimer'], order: 0 },
    { to: null, guard: 'verificationIsAnswered', actions: ['endVerification'], order: 1 },
    { to: null, guard: 'lostCoinsAreBack', actions: ['undoFailure'], order: 2 },
  ]);
});

test('transition ids are unique, and both ends of each are states of the chart', () => {
  for (const { states, transitions } of charts) {
    expect(new Set(transitions.map(({ id }) => id)).size).toBe(transitions.length);
    const paths = new Set(states.map(({ path }) => path));
    for (const { from, to } of transitions) expect(paths.has(from) && (to === null || paths.has(to))).toBe(true);
  }
});

test('dwell limits and operator events refer to states and events of the charts', () => {
  for (const kind of ['transaction', 'delivery', 'schedule']) {
    const limited = limitedStatesOf(kind);
    expect(limited, kind).not.toEqual([]);
    for (const { state } of limited) {
      const found = chart(kind).states.find(({ path }) => path === state);
      expect(found?.type, `${kind} ${state}`).toBe('atomic');
    }
  }
  for (const { kind, transitions } of charts) {
    const events = new Set(transitions.map(({ event }) => event));
    for (const { type } of operatorEventsOf(kind)) expect(events.has(type), `${kind} ${type}`).toBe(true);
  }
  expect(dwellLimitMs('transaction', 'closedFailed')).toBeNull();
  expect(dwellLimitMs('constructor', 'name')).toBeNull();
});

test.each([
  ['actor.started', 'start'],
  ['timer:window_closed:1', 'timer'],
  ['chain:abc:0:12', 'chain'],
  ['balance:ETH:7:0xab', 'chain'],
  ['simulate:req_1', 'chain'],
  ['merchant:req_1', 'merchant'],
  ['settlement:underpaid:2', 'merchant'],
  ['redelivery:3', 'merchant'],
  ['customer.stopped', 'customer'],
  ['operator:11111111', 'operator'],
  ['payment:txn_1', 'service'],
  ['bounce:eml_1', 'service'],
  ['attempt:1:answered', 'service'],
])('an event with the id %s comes from: %s', (eventId, source) => {
  expect(eventSourceOf(eventId)).toBe(source);
});

function chart(kind: string): FoldableChart {
  const found = charts.find((each) => each.kind === kind);
  if (found === undefined) throw new Error(`no chart ${kind}`);
  return found;
}
