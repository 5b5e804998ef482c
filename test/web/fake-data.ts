import type { FoldableChart, Population } from '../../src/http/console/contract/charts.ts';
import type { ListedMerchant, MerchantDetail, TierPlan } from '../../src/http/console/operator/merchant-schemas.ts';
import type {
  AcceptedEvent,
  ActorDetail,
  DeadLetterInfo,
  JournalStep,
  ListedAction,
  ListedActor,
  NextTimer,
  Run,
  StepDetail,
  StoredEmail,
  SystemHealth,
} from '../../src/http/console/operator/schemas.ts';
import type { ListedSession, ListedUser } from '../../src/http/console/session/schemas.ts';
import { level } from '../support/run/level.ts';

/**
 * Made-up responses of the console's API, typed by the contract. Nothing here is measured or
 * computed by the service.
 */

export const NOW = Date.now();
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const MERCHANT = 'mer_4c1f9a27';

export const ACTOR_ID = 'transaction:tra_00001f4e';
/** Far more rows than one page loads or the DOM holds. */
export const ROW_COUNT = level.pick({ quick: 2_000, full: 10_000 });

/** `ROW_COUNT` actors, spread over the leaf states of a chart. */
export function actorRows(chart: FoldableChart): ListedActor[] {
  const leaves = leavesOf(chart);
  return Array.from({ length: ROW_COUNT }, (_, index) => ({
    id: index === 0 && chart.kind === 'transaction' ? ACTOR_ID : `${chart.kind}:${idAt(index)}`,
    kind: chart.kind,
    state: leaves[index % leaves.length] ?? '',
    merchantId: MERCHANT,
    subject: index % 5 === 4 ? null : subjectAt(chart.kind, index),
    since: NOW - index * MINUTE_MS,
    createdAt: NOW - index * MINUTE_MS - HOUR_MS,
    steps: 2 + (index % 9),
    nextTimer:
      index % 3 === 0
        ? { name: 'window', dueAt: NOW + HOUR_MS, firesAt: NOW + HOUR_MS, gate: 'litecoin', height: null }
        : null,
    deadLetters: index % 97 === 0 ? 1 : 0,
  }));
}

function subjectAt(kind: string, index: number): ListedActor['subject'] {
  const isPriced = kind !== 'delivery';
  return {
    merchantName: 'Corner Shop',
    mode: index % 2 === 0 ? 'live' : 'test',
    amountFiat: isPriced ? '1250' : null,
    currencyFiat: isPriced ? 'EUR' : null,
    amountCrypto: kind === 'transaction' ? '15.625' : null,
    crypto: isPriced ? 'LTC' : null,
    label: isPriced ? `${1001 + index}` : 'payment.completed to shop.example',
  };
}

export function populationOf(chart: FoldableChart): Population {
  const hasLimit = (path: string, index: number) =>
    index % 3 === 0 && chart.states.some((state) => state.path === path && state.type !== 'final');
  const leaves = leavesOf(chart).map((state, index) => ({
    state,
    count: Math.round(5_200 / (index + 1)),
    oldestAt: NOW - (index + 1) * 26 * HOUR_MS,
    p50Ms: (index + 1) * 7 * MINUTE_MS,
    p95Ms: (index + 1) * 3 * HOUR_MS,
    overdue: hasLimit(state, index) ? 12 * index : null,
    limitMs: hasLimit(state, index) ? 20 * HOUR_MS : null,
  }));
  return { kind: chart.kind, at: NOW, leaves };
}

const STEPS: readonly (readonly [type: string, state: string, source: JournalStep['source'], outcome?: 'ignored'])[] = [
  ['start', 'open.awaitingPayment', 'start'],
  ['chain.output_seen', 'open.partiallyPaid', 'chain'],
  ['chain.output_seen', 'open.partiallyPaid', 'chain', 'ignored'],
  ['chain.output_mined', 'open.partiallyPaid', 'chain'],
  ['timer.window_closed', 'expired.watching', 'timer'],
  ['chain.output_seen', 'expired.paidLate', 'chain'],
];

export const JOURNAL: readonly JournalStep[] = STEPS.map(([eventType, state, source, outcome], index) => ({
  sequence: index + 1,
  at: NOW - (STEPS.length - index) * 11 * MINUTE_MS,
  eventId: `${source}:0000${index}`,
  eventType,
  event: { type: eventType, at: NOW, output: { txid: 'f3'.repeat(32), amountBaseUnits: '12500000' } },
  outcome: outcome ?? (index === 0 ? 'started' : 'applied'),
  state,
  error: null,
  source,
}));

export function stepDetailOf(chart: FoldableChart, sequence: number): StepDetail | null {
  const step = JOURNAL.find((one) => one.sequence === sequence);
  if (step === undefined) return null;
  const before = JOURNAL.filter((one) => one.sequence <= sequence);
  const paths = [...new Set(before.map(({ state }) => state))];
  return {
    step,
    byEmail: null,
    context: {
      dueBaseUnits: '31250000',
      receivedBaseUnits: String(sequence * 12_500_000),
      network: 'litecoin',
      outputs: [{ txid: 'f3'.repeat(32), amountBaseUnits: '12500000', confirmations: sequence }],
      windowClosedAt: sequence > 4 ? NOW : null,
    },
    changes: [
      {
        path: '/receivedBaseUnits',
        before: String((sequence - 1) * 12_500_000),
        after: String(sequence * 12_500_000),
      },
      { path: `/outputs/${sequence}`, after: { amountBaseUnits: '12500000' } },
    ],
    effects: [{ type: 'notifyMerchant', params: { event: `payment.step_${sequence}` } }],
    visited: paths.map((path) => ({ path, count: before.filter(({ state }) => state === path).length })),
    taken: chart.transitions.slice(0, sequence).map(({ id }) => ({ transitionId: id, count: 1 })),
    coin: { symbol: 'LTC', decimals: 8 },
    deliveries: [{ id: 'del_77aa01', event: `payment.step_${sequence}`, state: 'waiting', isOwed: false }],
  };
}

const ACCEPTS: readonly AcceptedEvent[] = [
  { type: 'merchant.marked_paid', label: 'Mark as paid', fields: null, isEnabled: true, whyNot: null },
  { type: 'merchant.dismissed', label: 'Dismiss the late coins', fields: null, isEnabled: true, whyNot: null },
  {
    type: 'chain.balance_dropped',
    label: 'Pause the clock and put under review',
    fields: {
      type: 'object',
      required: ['missingBaseUnits'],
      properties: { missingBaseUnits: { type: 'string', title: 'Missing amount', pattern: '^[1-9][0-9]{0,77}$' } },
    },
    isEnabled: false,
    whyNot: 'only in open',
  },
];

export function actorDetail(row: ListedActor, chart: FoldableChart): ActorDetail {
  const isTheOne = row.id === ACTOR_ID;
  return {
    ...row,
    state: isTheOne ? 'expired.paidLate' : row.state,
    since: isTheOne ? NOW - 50 * HOUR_MS : row.since,
    steps: JOURNAL.length,
    version: chart.version,
    status: 'active',
    context: {},
    timers: [
      { name: 'monitoring', dueAt: NOW + 72 * HOUR_MS, firesAt: NOW + 72 * HOUR_MS, gate: 'litecoin', height: null },
      { name: 'depth', dueAt: null, firesAt: null, gate: 'litecoin', height: 2_801_204 },
    ],
    clockOffsetMs: 0,
    isSound: !isTheOne,
    drift: isTheOne ? [{ path: '/context/completedAt', before: NOW, after: null }] : [],
    accepts: row.kind === 'transaction' ? ACCEPTS : [],
    related: [{ id: 'delivery:del_77aa01', kind: 'delivery', label: 'payment.paid_late to shop.example' }],
    exceededLimitMs: isTheOne ? 25 * HOUR_MS : null,
    alerts: isTheOne ? HEALTH.alerts : [],
  };
}

export const DEAD_LETTERS: readonly DeadLetterInfo[] = Array.from({ length: 14 }, (_, index) => ({
  id: String(index + 1),
  queue: index % 2 === 0 ? 'events' : 'attempts',
  actorId: index === 3 ? null : ACTOR_ID,
  reason: 'The receiver rejected the message ten times: column "confirmed_at" of relation "payment" does not exist',
  at: NOW - index * HOUR_MS,
  data: { actorId: ACTOR_ID, event: { type: 'chain.output_mined', height: 2_801_203 } },
  retries: index % 3,
  retryAt: index % 3 === 0 ? null : NOW + HOUR_MS,
}));

export const NEXT_TIMERS: readonly NextTimer[] = Array.from({ length: 8 }, (_, index) => ({
  actorId: index === 0 ? ACTOR_ID : `delivery:${idAt(index)}`,
  kind: index === 0 ? 'transaction' : 'delivery',
  state: index === 0 ? 'open.awaitingPayment' : 'waiting',
  name: index === 0 ? 'window_closed' : 'attempt_due',
  dueAt: NOW + (index - 2) * 7 * MINUTE_MS,
  firesAt: NOW + (index - 2) * 7 * MINUTE_MS,
  gate: index === 0 ? 'litecoin' : null,
  height: null,
  isLate: index < 2,
}));

export const HEALTH: SystemHealth = {
  at: NOW,
  chains: [
    {
      network: 'litecoin',
      state: 'watching',
      tip: 2_801_200,
      lagBlocks: 0,
      syncedUntil: NOW - 4_000,
      isHeld: true,
      lastError: null,
    },
    {
      network: 'ethereum',
      state: 'catching_up',
      tip: 21_240_112,
      lagBlocks: 38,
      syncedUntil: NOW - 9 * MINUTE_MS,
      isHeld: true,
      lastError: null,
    },
  ],
  rates: [
    { source: 'kraken', succeededAt: NOW - 20_000, failedAt: null, failure: null },
    { source: 'coinbase', succeededAt: NOW - HOUR_MS, failedAt: NOW, failure: 'HTTP 429: asked too often' },
  ],
  bus: { responds: true, waiting: [{ queue: 'actor-delivery', count: 3 }] },
  outbox: { waiting: 3, oldestAt: NOW - 2_000 },
  timers: { late: 12, oldestDueAt: NOW - 4 * MINUTE_MS },
  deadLetters: { open: DEAD_LETTERS.length, oldestAt: NOW - 26 * HOUR_MS },
  failingEndpoints: { merchants: 1, since: NOW - 3 * HOUR_MS },
  testFailingEndpoints: { merchants: 0, since: null },
  mails: { waiting: 2, failed: 0 },
  alerts: [
    {
      id: 7,
      actorId: ACTOR_ID,
      alert: 'completed_payment_lost',
      detail: 'A reorganisation took 0.125 LTC after completion',
      at: NOW,
    },
  ],
  testAlerts: [
    { id: 8, actorId: ACTOR_ID, alert: 'completed_payment_lost', detail: 'Coins of a test payment', at: NOW },
  ],
  issues: [
    { filter: { kind: 'transaction', isOverdue: true }, count: 31, oldestAt: NOW - 70 * HOUR_MS },
    { filter: { kind: 'delivery', isLate: true }, count: 12, oldestAt: NOW - 4 * MINUTE_MS },
    { filter: { kind: 'transaction', state: 'expired.paidLate' }, count: 4, oldestAt: NOW - 9 * HOUR_MS },
  ],
  missing: ['public_url', 'mail', 'second_operator', 'second_factor'],
};

export const RUNS: readonly Run[] = [
  {
    id: 'req_run1',
    who: 'usr_1',
    task: { what: 'send_event', type: 'merchant.redelivery_requested', fields: {} },
    filter: { kind: 'delivery', state: 'waiting', hasFailed: true },
    reason: 'The receiver of shop.example was down over night',
    state: 'planned',
    total: 240,
    outcomes: {},
    createdAt: NOW - 5 * MINUTE_MS,
    updatedAt: NOW - 5 * MINUTE_MS,
    endedAt: null,
  },
  {
    id: 'req_run0',
    who: 'usr_1',
    task: { what: 'retry_dead_letter' },
    filter: null,
    reason: 'The migration is through',
    state: 'done',
    total: 31,
    outcomes: { settled: 30, failed: 1 },
    createdAt: NOW - 26 * HOUR_MS,
    updatedAt: NOW - 25 * HOUR_MS,
    endedAt: NOW - 25 * HOUR_MS,
  },
];

export const SESSIONS: readonly ListedSession[] = [
  {
    id: 'ses_1',
    createdAt: NOW - HOUR_MS,
    lastSeenAt: NOW,
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    isThisOne: true,
  },
  { id: 'ses_2', createdAt: NOW - 90 * HOUR_MS, lastSeenAt: NOW - 30 * HOUR_MS, userAgent: '', isThisOne: false },
];

export const USERS: readonly ListedUser[] = [
  user('usr_1', 'operator@example.com', { role: 'operator', hasTotp: true }),
  user('usr_2', 'observer@example.com', { role: 'observer' }),
  user('usr_3', 'owner@shop.example', { role: 'owner', isInvited: true, merchant: { id: MERCHANT, name: 'The Shop' } }),
];

export const MERCHANTS: readonly ListedMerchant[] = Array.from({ length: 23 }, (_, index) => ({
  id: index === 0 ? MERCHANT : `mer_${idAt(index)}`,
  name: index === 0 ? 'The Shop with a Name That Goes On for Quite a While' : `Shop ${index}`,
  createdAt: NOW - index * 26 * HOUR_MS,
  approvalPendingSince: index % 3 === 0 ? NOW - index * 26 * HOUR_MS : null,
  plan: { tier: index % 3 === 0 ? 'professional' : 'starter', expiresAt: index % 3 === 0 ? NOW + HOUR_MS : null },
  usage: { used: 1_234 - index, limit: index % 3 === 0 ? null : 5_000 },
  needsAttention: index % 4 === 0 ? 3 : 0,
  testNeedsAttention: index % 3,
  wallets: index % 5,
  endpoints: { total: index % 3, failing: index % 3 === 2 ? 1 : 0, testFailing: index % 6 === 4 ? 1 : 0 },
}));

export const MERCHANT_DETAIL: MerchantDetail = {
  ...(MERCHANTS[0] ?? missing('merchant')),
  email: 'owner@shop.example',
  cycle: 'yearly',
  users: USERS.filter(({ merchant }) => merchant !== null),
  keys: [
    ['key_1', 'Web shop', 'live', null],
    ['key_2', 'Old till', 'test', NOW - HOUR_MS],
  ].map(([id, name, mode, endsAt]) => ({
    id: String(id),
    name: String(name),
    kind: 'secret',
    mode: mode === 'live' ? 'live' : 'test',
    hint: 'x7Qa',
    lastUsedAt: mode === 'live' ? NOW - MINUTE_MS : null,
    endsAt: typeof endsAt === 'number' ? endsAt : null,
  })),
  walletRuns: [
    { network: 'litecoin-mainnet', cryptos: ['LTC'], allocated: 1_204, unusedRun: 3, warning: null },
    {
      network: 'ethereum-mainnet',
      cryptos: ['ETH', 'USDC', 'USDT'],
      allocated: 88,
      unusedRun: 31,
      warning: 'Too many',
    },
  ],
  endpointStates: [
    {
      id: 'whk_1',
      name: 'Main server',
      host: 'hooks.shop.example',
      isEnabled: true,
      failingSince: NOW - HOUR_MS,
      disabledBecause: null,
      lastSuccessAt: NOW - 2 * HOUR_MS,
      failuresInARow: 12,
      modes: ['live', 'test'],
      lastFailure: {
        deliveryId: 'dlv_1',
        at: NOW - MINUTE_MS,
        kind: 'connection',
        status: null,
        detail: 'connect ECONNREFUSED 203.0.113.7:443',
      },
    },
    {
      id: 'whk_2',
      name: '',
      host: 'hooks.shop.example',
      isEnabled: true,
      failingSince: null,
      disabledBecause: null,
      lastSuccessAt: NOW,
      failuresInARow: 0,
      modes: ['test'],
      lastFailure: null,
    },
  ],
  schedules: { active: 14, pending_confirmation: 2 },
};

export const TIER_PLANS: readonly TierPlan[] = (['starter', 'business', 'professional', 'enterprise'] as const).map(
  (tier, index) => ({
    tier,
    monthlyPriceUsd: index === 3 ? null : `${index * 29}.00`,
    yearlyPriceUsd: index === 3 ? null : `${index * 290}.00`,
    monthlyTransactionLimit: index === 3 ? null : (index + 1) * 100,
    webhookLimit: index === 3 ? null : index,
    ipWhitelist: index > 1,
    createDetailed: index > 0,
    apiRateLimitPerMinute: 60 * (index + 1),
    apiRateLimitPerHour: 1_000 * (index + 1),
  }),
);

export const ACTIONS: readonly ListedAction[] = (
  [
    ['event.sent', ACTOR_ID, 'applied'],
    ['plan.changed', 'business', 'done'],
    ['merchant.plan_assigned', MERCHANT, 'done'],
    ['dead_letters.retry_planned', 'req_1', 'planned'],
    ['dead_letter.dismissed', '17', 'settled'],
    ['event.sent', ACTOR_ID, null],
  ] as const
).map(([what, subjectId, outcome], index) => ({
  requestId: `request-${index}`,
  who: { userId: 'usr_1', email: index === 4 ? null : 'operator@example.com' },
  what,
  subjectId,
  details: { type: 'merchant.marked_paid', fields: {} },
  reason: 'The customer wrote that the money came from an exchange, and the amount is the one of the order',
  requestedAt: NOW - index * HOUR_MS,
  outcome,
}));

// Helpers

function user(id: string, email: string, more: Partial<ListedUser> & Pick<ListedUser, 'role'>): ListedUser {
  return { id, email, merchant: null, hasTotp: false, isInvited: false, isDisabled: false, createdAt: NOW, ...more };
}

function leavesOf({ states }: FoldableChart): string[] {
  return states.filter(({ type }) => type !== 'compound').map(({ path }) => path);
}

function idAt(index: number): string {
  return `${index.toString(16).padStart(8, '0')}`;
}

export const KEPT_MAIL: StoredEmail = {
  id: 'eml_1',
  at: 1_795_000_000_000,
  recipient: 'customer@example.com',
  fromName: 'Corner shop',
  subject: 'Please confirm: 25.00 EUR every month to Corner shop',
  text: 'Hello,\n\nReview and confirm:\nhttps://pay.example/recurring/confirm/00\n',
};

function missing(what: string): never {
  throw new Error(`There is no ${what}`);
}
