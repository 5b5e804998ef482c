import { randomBytes } from 'node:crypto';
import { type FastifyBaseLogger, fastify } from 'fastify';
import type { CryptoSymbol } from '../../../../machines/index.ts';
import { SERVER_OPTIONS } from '../../../../src/http/api/server.ts';
import { checkoutRoutes, recurringRoutes } from '../../../../src/http/checkout/index.ts';
import { systemClock } from '../../../../src/platform/clock.ts';
import { TerminalError } from '../../../../src/platform/errors.ts';
import { newId } from '../../../../src/platform/ids.ts';
import { createLogger } from '../../../../src/platform/log.ts';
import type { CustomerRequests, PeriodForCustomer, ScheduleForCustomer } from '../../../../src/recurring/index.ts';
import { silentLog } from '../../../support/silent-log.ts';
import { NO_BRAND, sampleTransaction } from '../samples.ts';

/** A schedule of 25 EUR a month that the customer has not confirmed. */
export function sampleSchedule(changes: Partial<ScheduleForCustomer> = {}): ScheduleForCustomer {
  return {
    merchantName: 'Corner Bakery',
    brand: NO_BRAND,
    description: 'Bread box, two loaves a week',
    amountFiat: '25',
    currencyFiat: 'EUR',
    interval: 'monthly',
    status: 'pending_confirmation',
    isFinished: false,
    isTest: false,
    startAt: null,
    maxPeriods: null,
    nextDueAt: null,
    due: null,
    ...changes,
  };
}

/** Its third payment, due on 1 December 2026, in either of two coins. */
export function samplePeriod(changes: Partial<PeriodForCustomer> = {}): PeriodForCustomer {
  return {
    schedule: sampleSchedule({ status: 'active', nextDueAt: Date.UTC(2027, 0, 1) }),
    periodNo: 3,
    status: 'awaited',
    dueAt: Date.UTC(2026, 11, 1),
    cryptos: ['LTC', 'USDT'],
    transactionId: null,
    isInProgress: false,
    isLost: false,
    ...changes,
  };
}

/** An in-memory fake of the `recurring` use cases, without a database. */
export interface FakeRequests {
  readonly port: CustomerRequests;
  /** Names of the methods that were called, in order. */
  readonly calls: string[];
  /** Puts a schedule behind a link and returns its token. */
  addSchedule(purpose: 'confirm' | 'stop', schedule: ScheduleForCustomer): string;
  addPeriod(period: PeriodForCustomer): string;
  changePeriod(token: string, changes: Partial<PeriodForCustomer>): void;
  scheduleOf(token: string): ScheduleForCustomer | undefined;
  /** Ids of the opened payments, oldest first. */
  readonly opened: string[];
  /** Makes every later call fail with this error, until null is given. */
  failWith(error: Error | null): void;
}

function createFakeRequests(): FakeRequests {
  const schedules = new Map<string, ScheduleForCustomer>();
  const periods = new Map<string, PeriodForCustomer>();
  const openByCoin = new Map<string, string>();
  const calls: string[] = [];
  const opened: string[] = [];
  let failure: Error | null = null;

  function called(name: string): void {
    calls.push(name);
    if (failure !== null) throw failure;
  }
  function decide(key: string, from: readonly string[], changes: Partial<ScheduleForCustomer>) {
    const schedule = schedules.get(key);
    if (schedule === undefined) return null;
    if (from.includes(schedule.status)) schedules.set(key, { ...schedule, ...changes });
    return schedules.get(key) ?? null;
  }

  return {
    calls,
    opened,
    port: {
      async find(purpose, token) {
        called('find');
        return schedules.get(`${purpose} ${token}`) ?? null;
      },
      async decide(purpose, token) {
        called(purpose);
        const { from, changes } = DECISIONS[purpose];
        return decide(`${purpose} ${token}`, from, changes);
      },
      async findPeriod(token) {
        called('findPeriod');
        return periods.get(token) ?? null;
      },
      async openPeriod(token, crypto) {
        called('openPeriod');
        const period = periods.get(token);
        if (period === undefined) return null;
        if (period.isInProgress && period.transactionId !== null) return period.transactionId;
        requireOpen(period, crypto);
        const known = openByCoin.get(`${token} ${crypto}`);
        const transactionId = known ?? newId('txn');
        if (known === undefined) opened.push(transactionId);
        openByCoin.set(`${token} ${crypto}`, transactionId);
        periods.set(token, { ...period, transactionId });
        return transactionId;
      },
    },
    addSchedule(purpose, schedule) {
      const token = newToken();
      schedules.set(`${purpose} ${token}`, schedule);
      return token;
    },
    addPeriod(period) {
      const token = newToken();
      periods.set(token, period);
      return token;
    },
    changePeriod(token, changes) {
      periods.set(token, { ...(periods.get(token) ?? samplePeriod()), ...changes });
    },
    scheduleOf: (token) => schedules.get(`confirm ${token}`) ?? schedules.get(`stop ${token}`),
    failWith(error) {
      failure = error;
    },
  };
}

export interface RecurringApp {
  readonly url: string;
  readonly requests: FakeRequests;
  /** Log lines from level `debug` upwards. */
  readonly logged: string[];
  stop(): Promise<void>;
}

/** The pages on their own port, together with the payment page they lead to. */
export async function startRecurringApp(): Promise<RecurringApp> {
  const requests = createFakeRequests();
  const logged: string[] = [];
  const log = createLogger({ level: 'debug', destination: { write: (line) => void logged.push(line) } });
  const app = fastify({ ...SERVER_OPTIONS, forceCloseConnections: true, loggerInstance: log as FastifyBaseLogger });
  const payment = (id: string) => (requests.opened.includes(id) ? sampleTransaction({ id }) : null);
  await app.register(checkoutRoutes, {
    clock: systemClock,
    log: silentLog,
    transactions: {
      get: async (id) => payment(id),
      list: async (ids) => ids.flatMap((id) => payment(id) ?? []),
      listVersions: async (ids) => ids.flatMap((id) => payment(id) ?? []),
      simulate: () => Promise.reject(new Error('nothing is simulated here')),
      giveReceiptAddress: () => Promise.reject(new Error('no receipts here')),
    },
  });
  await app.register(recurringRoutes, { requests: requests.port });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  return { url, requests, logged, stop: () => app.close() };
}

export function newToken(): string {
  return randomBytes(16).toString('hex');
}

// Helpers

const DECISIONS = {
  confirm: { from: ['pending_confirmation'], changes: { status: 'active', nextDueAt: Date.UTC(2026, 11, 22) } },
  stop: {
    from: ['pending_confirmation', 'active', 'paused'],
    changes: { status: 'stopped_by_customer', nextDueAt: null },
  },
} as const;

function requireOpen({ status, schedule, cryptos }: PeriodForCustomer, crypto: CryptoSymbol): void {
  const isEnded = !['active', 'paused'].includes(schedule.status);
  if (status === 'paid' || isEnded) throw new TerminalError('INVALID_STATE', 'Nothing is to be paid');
  if (!cryptos.includes(crypto)) throw new TerminalError('INVALID_CRYPTO', `This cannot be paid in ${crypto}`);
}
