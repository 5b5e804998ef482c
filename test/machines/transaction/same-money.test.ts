import { describe, expect, it } from 'vitest';
import {
  missedDeadline,
  seenBaseUnits,
  type TransactionEvent,
  type TransactionTerms,
} from '../../../machines/index.ts';
import { play, webhooksOf } from './actor-run.ts';
import { deadlinePassed, WINDOW_CLOSED } from './chart-events.ts';
import { confirmed, dropped, IN_TIME, LATE, mined, seen } from './observations.ts';
import { DEADLINE_MS, DUE } from './terms.ts';

const HALF = DUE / 2n;
const ON_ETHEREUM: Partial<TransactionTerms> = { crypto: 'USDT', network: 'ethereum-regtest' };
const DEADLINE = deadlinePassed(IN_TIME + DEADLINE_MS);
const DISMISSED: TransactionEvent = { type: 'merchant.dismissed', at: LATE, by: 'usr_example' };

const log = { txid: '0xa' };
const fee = { spends: ['coin:0'] };

describe('L18: coins that were given up at the deadline and are confirmed after all', () => {
  it('raise paid_late under the new id that a reorg has given them', () => {
    const run = play(
      [
        mined({ ...log, id: 'log-5', order: 1 }),
        seen({ ...log, id: 'log-5', order: 2 }),
        WINDOW_CLOSED,
        DEADLINE,
        confirmed({ ...log, id: 'log-7', order: 3, branch: 'fork' }),
        dropped({ ...log, id: 'log-5', order: 4, reason: 'reorged' }),
      ],
      ON_ETHEREUM,
    );
    expect(run.view().leaf).toBe('expired.paidLate');
    expect(webhooksOf(run).filter((event) => event === 'payment.paid_late')).toHaveLength(1);
  });

  it('raise paid_late through the fee-bumped transaction that replaced theirs', () => {
    const run = play([
      seen({ ...fee, id: 'first', order: 1 }),
      WINDOW_CLOSED,
      DEADLINE,
      confirmed({ ...fee, id: 'bumped', order: 2, firstSeenAt: LATE }),
    ]);
    expect(run.view().leaf).toBe('expired.paidLate');
  });
});

it('coins that were late and unconfirmed at the deadline have not come in time', () => {
  const late = { id: 'late', order: 2, amount: HALF, firstSeenAt: LATE };
  const run = play([seen({ id: 'first', order: 1 }), WINDOW_CLOSED, seen(late), DEADLINE]);
  run.send(confirmed({ ...late, order: 3 }));
  run.send(confirmed({ id: 'first', order: 4 }));
  const { leaf, context } = run.view();
  expect(leaf).toBe('expired.paidLate');
  const missed = context.outputs.filter((output) => missedDeadline(context, output));
  expect(missed.map(({ txid }) => txid)).toEqual(['first']);
});

describe('late coins that a user has dismissed', () => {
  it('require no new decision when a reorg gives them a new id', () => {
    const late = { ...log, firstSeenAt: LATE };
    const run = play(
      [
        WINDOW_CLOSED,
        mined({ ...late, id: 'log-5', order: 1 }),
        DISMISSED,
        mined({ ...late, id: 'log-7', order: 2, branch: 'fork' }),
        dropped({ ...late, id: 'log-5', order: 3, reason: 'reorged' }),
      ],
      ON_ETHEREUM,
    );
    expect(run.view().leaf).toBe('expired.watching');
  });

  it.each([
    ['a balance has shown under both names', null, null],
    ['a trace named before', '0xa', null],
    ['a trace names now', null, '0xa'],
  ])('require no new decision under the new id of coins that %s', (_title, before, after) => {
    const late = { firstSeenAt: LATE };
    const old = mined({ ...late, id: 'rise-5', order: 1 });
    const renamed = mined({ ...late, id: 'rise-7', order: 2, branch: 'fork' });
    const larger = mined({ ...late, id: 'rise-9', amount: DUE + 1n, order: 4, branch: 'fork' });
    const outdates = { outputIds: [old.outputId], before: 2 };
    const dismissed: TransactionEvent[] = [WINDOW_CLOSED, { ...old, txid: before }, DISMISSED];
    const gone: TransactionEvent = { ...dropped({ ...late, id: 'rise-5', order: 3 }), txid: before };
    const leafAfter = (event: TransactionEvent) => play([...dismissed, event, gone], ON_ETHEREUM).view().leaf;
    expect(leafAfter({ ...renamed, txid: after, outdates })).toBe('expired.watching');
    expect(leafAfter({ ...renamed, txid: after })).toBe('expired.paidLate');
    expect(leafAfter({ ...larger, txid: after, outdates })).toBe('expired.paidLate');
  });

  it('are not mistaken for coins that arrive after they were gone, of the same amount', () => {
    const late = { firstSeenAt: LATE };
    const old = mined({ ...late, id: 'rise-5', order: 1 });
    const gone = dropped({ ...late, id: 'rise-5', order: 2 });
    const another = mined({ ...late, id: 'rise-9', order: 4, branch: 'fork' });
    const outdates = { outputIds: [old.outputId], before: 4 };
    const [oldUnnamed, goneUnnamed] = [old, gone].map((event) => ({ ...event, txid: null }) as TransactionEvent);
    const dismissed = [WINDOW_CLOSED, oldUnnamed, DISMISSED] as TransactionEvent[];
    const comes: TransactionEvent = { ...another, txid: null, outdates };
    for (const order of [
      [goneUnnamed, comes],
      [comes, goneUnnamed],
    ] as TransactionEvent[][]) {
      expect(play([...dismissed, ...order], ON_ETHEREUM).view().leaf).toBe('expired.paidLate');
    }
  });

  it('require no new decision when their fee is raised, but a replacement that pays more does', () => {
    const late = { ...fee, firstSeenAt: LATE };
    const dismissed = [WINDOW_CLOSED, seen({ ...late, id: 'first', amount: HALF, order: 1 }), DISMISSED];
    const bumped = (amount: bigint) => seen({ ...late, id: 'bumped', amount, order: 2 });
    expect(play([...dismissed, bumped(HALF)]).view().leaf).toBe('expired.watching');
    expect(play([...dismissed, bumped(DUE)]).view().leaf).toBe('expired.paidLate');
  });

  it('leave other coins of the same transaction undecided', () => {
    const late = { txid: 'two-outputs', amount: HALF, firstSeenAt: LATE };
    const run = play([
      WINDOW_CLOSED,
      seen({ ...late, id: 'one', order: 1 }),
      DISMISSED,
      seen({ ...late, id: 'two', order: 2 }),
    ]);
    expect(run.view().leaf).toBe('expired.paidLate');
  });
});

describe('transactions that spend the same coins', () => {
  const nonce = { spends: ['sender:1'] };

  it('count as in the block, however late a node still lists the other one in its mempool', () => {
    const small = seen({ ...nonce, id: 'small', amount: 1n, order: 2 });
    const whole = mined({ ...nonce, id: 'whole', order: 1 });
    for (const events of [
      [whole, small],
      [small, whole],
    ]) {
      expect(seenBaseUnits(play(events).view().context)).toBe(DUE);
    }
  });

  it('keep their first sighting when the replacement is moved as well', () => {
    const run = play(
      [
        mined({ ...nonce, id: 'first', order: 1 }),
        WINDOW_CLOSED,
        mined({ ...nonce, txid: '0x2', id: 'log-5', order: 2, firstSeenAt: LATE }),
        mined({ ...nonce, txid: '0x2', id: 'log-7', order: 3, firstSeenAt: LATE, branch: 'fork' }),
        dropped({ ...nonce, id: 'first', order: 4, reason: 'reorged' }),
        dropped({ ...nonce, txid: '0x2', id: 'log-5', order: 5, reason: 'reorged' }),
        confirmed({ ...nonce, txid: '0x2', id: 'log-7', order: 6, firstSeenAt: LATE, branch: 'fork' }),
      ],
      ON_ETHEREUM,
    );
    expect(run.view().leaf).toBe('completed');
  });

  it('get the old rate for no more than was sent, although it had two ids', () => {
    const part = { ...nonce, txid: '0x1', amount: HALF };
    const run = play(
      [
        mined({ ...part, id: 'log-5', order: 1 }),
        mined({ ...part, id: 'log-7', order: 2, branch: 'fork' }),
        dropped({ ...part, id: 'log-5', order: 3, reason: 'reorged' }),
        WINDOW_CLOSED,
        dropped({ ...part, id: 'log-7', order: 4, reason: 'reorged' }),
        confirmed({ ...nonce, id: 'large', order: 5, firstSeenAt: LATE }),
      ],
      ON_ETHEREUM,
    );
    expect(run.view().leaf).toBe('expired.paidLate');
  });

  it('count as the least that was sent, where a gone transaction had two equal parts: its replacement is late', () => {
    const run = play(
      [
        mined({ ...nonce, txid: '0x1', amount: HALF, id: 'log-5', order: 1 }),
        mined({ ...nonce, txid: '0x1', amount: HALF, id: 'log-6', order: 2 }),
        dropped({ ...nonce, txid: '0x1', amount: HALF, id: 'log-5', order: 3 }),
        dropped({ ...nonce, txid: '0x1', amount: HALF, id: 'log-6', order: 4 }),
        WINDOW_CLOSED,
        confirmed({ ...nonce, id: 'replacement', order: 5, firstSeenAt: LATE }),
      ],
      ON_ETHEREUM,
    );
    expect(run.view().leaf).toBe('expired.paidLate');
  });

  it('are in time where one replaces two parts that were, in any order of processing', () => {
    const one = { id: 'one', amount: HALF, spends: ['coin:1'] };
    const two = { id: 'two', amount: HALF, spends: ['coin:2'] };
    const both = confirmed({ id: 'both', order: 3, firstSeenAt: LATE, spends: ['coin:1', 'coin:2'] });
    const parts = [seen({ ...one, order: 1 }), seen({ ...two, order: 2 })];
    expect(play([...parts, WINDOW_CLOSED, both]).view().leaf).toBe('completed');
    expect(play([both, ...parts, WINDOW_CLOSED]).view().leaf).toBe('completed');
  });
});
