import { describe, expect, test } from 'vitest';
import type { ReceivedWebhook } from '../support/outside/receiver.ts';
import { createCheck, type Exchange } from './check.ts';
import { createCoverage } from './coverage.ts';
import type { Scope, Shop } from './fixtures.ts';
import { createLedger } from './ledger.ts';
import { readOperations } from './operations.ts';
import { fill } from './placeholders.ts';
import { recordCreated } from './record-created.ts';
import { leakedWebhooks, shopsNotified } from './webhooks.ts';

const HEADERS = {
  'x-request-id': `req_${'0'.repeat(26)}`,
  'x-ratelimit-limit': '30',
  'x-ratelimit-remaining': '29',
  'x-ratelimit-reset': '1795255260',
  'content-type': 'application/json; charset=utf-8',
};
const REJECTIONS = { success: false, error: 'TRANSACTION_NOT_FOUND', message: 'No transaction has this id.' };
const ID = `txn_${'7'.repeat(26)}`;

describe('placeholders in generated requests', () => {
  test('are replaced, and other words in double braces stay', () => {
    expect(fill('{{mark}} {{existing id own 0}} {{w}} {{7*7}}', (word, rest) => [word, ...rest].join('-'))).toBe(
      'mark existing-id-own-0 {{w}} {{7*7}}',
    );
  });
});

describe('the check of a response', () => {
  const operations = readOperations();
  const ledger = createLedger();
  ledger.enter(ID, ['bob.test']);
  ledger.enter('sk_test_of_somebody', []);
  const problemsOf = createCheck(operations, ledger);

  function problemsWith(json: unknown, more: Responded = {}): string {
    return problemsOf(exchangeOf(json, more)).join('; ');
  }

  test('finds nothing in a documented response, which may repeat the requested id', () => {
    expect(problemsWith(REJECTIONS)).toBe('');
    expect(problemsWith({ ...REJECTIONS, message: `There is no ${ID}.` })).toBe('');
    expect(problemsWith(REJECTIONS, { operation: null })).toBe('');
  });

  test('finds failures, undeclared statuses, wrong bodies and missing headers', () => {
    expect(problemsWith(REJECTIONS, { status: 500 })).toMatch(/the service failed with 500/);
    expect(problemsWith(REJECTIONS, { status: 418 })).toMatch(/not described to answer 418/);
    expect(problemsWith({ ...REJECTIONS, success: true })).toMatch(/success/);
    expect(problemsWith({ success: true, data: {} }, { status: 200 })).toMatch(/required/);
    expect(problemsWith('no envelope', { operation: null })).toMatch(/not the error envelope/);
    expect(problemsWith({}, { operation: null, status: 200 })).toMatch(/not described, and was answered 200/);
    expect(problemsWith(REJECTIONS, { headers: { ...HEADERS, 'x-request-id': 'forged' } })).toMatch(
      /x-request-id is forged/,
    );
    const taken = problemsWith({}, { operation: 'POST /billing/checkout', status: 201 });
    expect(taken).toMatch(/a body was taken that its schema forbids/);
  });

  test('finds data of another shop or mode, and any key', () => {
    const sent = (text: string) => problemsWith({ ...REJECTIONS, message: text });
    expect(sent(`x${ledger.markOf('bob.test')}y`)).toMatch(/which is of bob\.test/);
    expect(sent(ledger.markOf('ann.live'))).toMatch(/which is of ann\.live/);
    expect(sent('sk_test_of_somebody')).toMatch(/which is of nobody/);
    expect(sent(ledger.markOf('ann.test'))).toBe('');
    expect(problemsWith({ id: ID }, { status: 200 })).toMatch(/which is of bob\.test/);
    expect(problemsWith(REJECTIONS, { headers: { ...HEADERS, location: `/${ledger.markOf('bob.live')}` } })).toMatch(
      /bob\.live/,
    );
  });

  test('lets a live key read what its own shop received in both modes, and only where that is logged', () => {
    const sent = JSON.stringify({ ...REJECTIONS, message: ledger.markOf('ann.test') });
    const asLive = (operation: string, reader: Scope) =>
      problemsWith(REJECTIONS, { operation, reader, text: sent, status: 404 });
    expect(asLive('GET /webhooks/deliveries/{delivery_id}', 'ann.live')).toBe('');
    expect(asLive('GET /webhooks/endpoints/{endpoint_id}/deliveries', 'ann.live')).toBe('');
    expect(asLive('GET /webhooks/deliveries/{delivery_id}', 'bob.live')).toMatch(/which is of ann\.test/);
    expect(asLive('GET /webhooks/endpoints/{endpoint_id}', 'ann.live')).toMatch(/which is of ann\.test/);
  });

  test('finds webhooks that send data of another shop, and knows which shop received what', () => {
    const webhook = (shop: Shop, body: string): ReceivedWebhook => ({
      method: 'POST',
      path: `/${ledger.markOf(`${shop}.live`)}/1`,
      headers: {},
      body,
      isServiceSignatureValid: true,
      isStandardSignatureValid: true,
    });
    const right = webhook('bob', `${ID} ${ledger.markOf('bob.test')} ${ledger.markOf('bob.live')}`);
    expect(leakedWebhooks([right], ledger)).toEqual([]);
    expect(leakedWebhooks([webhook('ann', ID)], ledger)).toEqual([expect.stringContaining(`received "${ID}"`)]);
    expect(leakedWebhooks([{ ...right, path: '/' }], ledger)).toHaveLength(3);
    expect(shopsNotified([right], ledger)).toEqual(['bob']);
  });

  test('records the ids in a response for its caller, and that a secret may not appear again once it was shown', () => {
    const own = createLedger();
    const secret = `whsec_${'s'.repeat(24)}`;
    const made = { success: true, data: { endpoint: { endpoint_id: `whk_${'1'.repeat(26)}` }, secret } };
    recordCreated(exchangeOf(made, { operation: 'POST /webhooks/endpoints', status: 201 }), own, ['endpoint_id']);
    const listed = { success: true, data: { deliveries: [{ delivery_id: `dlv_${'2'.repeat(26)}` }] } };
    const list = 'GET /webhooks/endpoints/{endpoint_id}/deliveries';
    recordCreated(exchangeOf(listed, { operation: list, status: 200 }), own, ['delivery_id']);
    expect(own.idsOf('ann.test', 'endpoint_id')).toEqual([made.data.endpoint.endpoint_id]);
    expect(own.idsOf('ann.test', 'delivery_id')).toEqual([`dlv_${'2'.repeat(26)}`]);
    expect(own.leaksIn(JSON.stringify(made), ['ann.test'])).toEqual([secret]);
    const gone = { success: true, data: { endpoint_id: made.data.endpoint.endpoint_id, deleted: true } };
    own.enter(`whk_${'3'.repeat(26)}`, ['ann.test'], 'endpoint_id');
    recordCreated(exchangeOf(gone, { operation: 'DELETE /webhooks/endpoints/{endpoint_id}', status: 200 }), own, []);
    expect(own.idsOf('ann.test', 'endpoint_id')).toEqual([`whk_${'3'.repeat(26)}`, gone.data.endpoint_id]);
    expect(own.leaksIn(gone.data.endpoint_id, ['bob.test'])).toEqual([gone.data.endpoint_id]);
  });

  test('records recurring payment requests by their UUIDs, and the links of their periods', () => {
    const own = createLedger();
    const id = '0d6f2c1e-5b7a-4c39-9e14-8a2f7b61c5d3';
    const made = { success: true, data: { schedule_id: id } };
    recordCreated(exchangeOf(made, { operation: 'POST /recurring/create', status: 201 }), own, ['schedule_id']);
    expect(own.idsOf('ann.test', 'schedule_id')).toEqual([id]);
    const token = 'c'.repeat(32);
    const periods = [{ payment_url: `https://pay.example.com/recurring/pay/${token}` }, { payment_url: null }];
    const list = 'GET /recurring/{schedule_id}/periods';
    recordCreated(exchangeOf({ success: true, data: { periods } }, { operation: list, status: 200 }), own, []);
    const sent = `see "${id}" and /recurring/pay/${token}`;
    expect(own.leaksIn(sent, ['ann.test'])).toEqual([]);
    expect(own.leaksIn(sent, ['bob.test']).sort()).toEqual([id, token]);
    const other = { success: true, data: { schedule_id: id.replace('0d', '1d'), ended_at: null } };
    recordCreated(exchangeOf(other, { operation: 'POST /recurring/create', status: 201 }), own, ['schedule_id']);
    const ended = { success: true, data: { ...made.data, ended_at: '2026-11-22T00:00:00.000Z' } };
    const cancel = 'POST /recurring/{schedule_id}/cancel';
    recordCreated(exchangeOf(ended, { operation: cancel, status: 200 }), own, ['schedule_id']);
    expect(own.idsOf('ann.test', 'schedule_id')).toEqual([other.data.schedule_id, id]);
  });

  test('counts unanswered requests', () => {
    const coverage = createCoverage(operations);
    expect(coverage.gaps()).toContain('GET /transactions/{transaction_id} was never answered 404');
    for (const { name, statuses } of operations) for (const status of statuses) coverage.count(name, status);
    expect(coverage.gaps()).toBeNull();
  });
});

// Helpers

type Responded = Partial<Exchange['response']> & { readonly operation?: string | null; readonly reader?: Scope };

/** A response that `reader` received: by default Ann's test key and a 404. */
function exchangeOf(json: unknown, more: Responded): Exchange {
  const { operation = 'GET /transactions/{transaction_id}', reader = 'ann.test', ...response } = more;
  const [method = '', path = ''] = (operation ?? 'PUT /account').split(' ');
  return {
    request: {
      operation,
      flavour: 'valid',
      key: reader.replace('.', '.sk_'),
      method,
      path,
      parameters: {},
      query: [],
      rawQuery: null,
      headers: [],
      body: null,
      from: '203.0.113.1',
      copies: 1,
    },
    filled: { reader, sent: { method, target: `/v1/transactions/${ID}`, headers: {}, body: '{"tier":5}' } },
    response: { status: 404, headers: HEADERS, text: JSON.stringify(json), ...response },
  };
}
