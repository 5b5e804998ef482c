import { randomUUID } from 'node:crypto';
import { DAY_MS, MINUTE_MS, type UnixMs } from '../../machines/index.ts';
import { type Caller, requireApproved } from '../merchants/index.ts';
import { type CreateDeps, listPayableCryptos, type Scope } from '../payments/index.ts';
import type { Clock } from '../platform/clock.ts';
import { TerminalError } from '../platform/errors.ts';
import { isoTimeOrNull } from '../platform/iso-time.ts';
import { requestHashOf, requireSameRequest } from '../platform/require-same-request.ts';
import { requireCustomerText } from '../platform/text.ts';
import { meetsMinimumUsd, parseFiatAmount, ratesUnavailable } from '../rates/index.ts';
import type { ScheduleRequest, ScheduleView } from './schedule.ts';
import { getSchedule } from './schedule-rows.ts';
import type { ScheduleAttachment } from './schedule-step.ts';

export interface CreateScheduleDeps extends Pick<CreateDeps, 'db' | 'engine' | 'rates' | 'networks' | 'overview'> {
  readonly clock: Clock;
}

export interface CreatedSchedule {
  readonly schedule: ScheduleView;
  /** The idempotency key was used before with the same body: this is the existing schedule. */
  readonly replayed: boolean;
}

/** Maximum time until the first period. */
const MAX_START_AHEAD_MS = 1_830 * DAY_MS;
/** Tolerates clock differences, and a "now" that is in the past when the request arrives. */
const START_GRACE_MS = 5 * MINUTE_MS;
/**
 * Metadata keys added to every payment of a schedule; the merchant's own metadata may not use them.
 */
const RESERVED_METADATA: readonly string[] = ['schedule_id', 'period_no'];

/**
 * Creates a recurring payment request: the customer is asked by email to confirm it. Runs the same
 * checks as for a payment, so that errors are reported now and not when a period is due. The
 * idempotency key is checked before anything that could fail. Throws `TerminalError` with the
 * documented error codes, among them `MERCHANT_NOT_APPROVED`, `NO_ACTIVE_PLAN` and
 * `RECIPIENT_LIMIT_REACHED`; `RetryableError` `RATE_FETCH_FAILED` and `DATABASE_UNAVAILABLE`.
 * `createdBy` is the id of the user who creates it, for the audit log; null for API clients.
 */
export async function createSchedule(
  deps: CreateScheduleDeps,
  caller: Caller,
  request: ScheduleRequest,
  idempotencyKey: string | null,
  createdBy: string | null = null,
): Promise<CreatedSchedule> {
  // Stored hashes are of the start as ISO text.
  const requestHash = requestHashOf({ ...request, startAt: isoTimeOrNull(request.startAt) });
  if (idempotencyKey !== null) {
    const earlier = await findByKey(deps, caller, idempotencyKey);
    if (earlier !== null) return replay(deps, caller, earlier, requestHash);
  }
  // Emails of test schedules go only to the merchant's own users.
  if (caller.mode === 'live') await requireApproved(deps.db, caller.merchantId);
  requireCustomerText(request.description, 'description');
  const amountFiat = readAmount(deps, caller, request);
  requireNearStart(request, deps.clock.now());
  requireFreeMetadata(request);
  await requirePayable(deps, caller, request);
  const scheduleId = randomUUID();
  const attachment: ScheduleAttachment = {
    merchantId: caller.merchantId,
    mode: caller.mode,
    reference: request.reference,
    customerEmail: request.customerEmail,
    description: request.description,
    amountFiat,
    currencyFiat: request.currencyFiat,
    crypto: request.crypto,
    metadata: request.metadata,
    successUrl: request.successUrl,
    idempotencyKey,
    requestHash: idempotencyKey === null ? null : requestHash,
    ...(createdBy === null ? {} : { createdBy }),
  };
  const { interval, startAt, maxPeriods } = request;
  const outcome = await deps.engine.start({
    kind: 'schedule',
    actorId: scheduleId,
    startKey: idempotencyKey === null ? null : `schedule:${caller.merchantId}:${caller.mode}:${idempotencyKey}`,
    input: { scheduleId, merchantId: caller.merchantId, interval, startAt, maxPeriods },
    attachment,
  });
  if (outcome.outcome === 'exists') {
    const existing = idempotencyKey === null ? null : await findByKey(deps, caller, idempotencyKey);
    if (existing === null) throw new Error('a schedule exists that was never started');
    return replay(deps, caller, existing, requestHash);
  }
  return { schedule: await getSchedule(deps, caller, scheduleId), replayed: false };
}

// Helpers

interface Earlier {
  readonly id: string;
  readonly request_hash: string | null;
}

async function findByKey({ db }: CreateScheduleDeps, scope: Scope, key: string): Promise<Earlier | null> {
  const row = await db
    .selectFrom('schedule')
    .select(['id', 'request_hash'])
    .where('merchant_id', '=', scope.merchantId)
    .where('mode', '=', scope.mode)
    .where('idempotency_key', '=', key)
    .executeTakeFirst();
  return row ?? null;
}

async function replay(
  { db }: CreateScheduleDeps,
  scope: Scope,
  { id, request_hash }: Earlier,
  requestHash: string,
): Promise<CreatedSchedule> {
  requireSameRequest(request_hash, requestHash, 'recurring payment request');
  return { schedule: await getSchedule({ db }, scope, id), replayed: true };
}

function readAmount({ rates }: CreateScheduleDeps, { mode }: Caller, request: ScheduleRequest): string {
  const parsed = parseFiatAmount(request.amount);
  if (!parsed.ok) throw new TerminalError('INVALID_AMOUNT', parsed.message);
  const fiat = rates.forMode(mode).getFiat(request.currencyFiat);
  if (fiat === null) throw ratesUnavailable(request.currencyFiat);
  if (meetsMinimumUsd(parsed.amountFiat, fiat.usd)) return parsed.amountFiat;
  throw new TerminalError('AMOUNT_TOO_LOW', 'amount must be worth at least 1.00 USD');
}

function requireNearStart({ startAt }: ScheduleRequest, now: UnixMs): void {
  if (startAt === null) return;
  if (startAt < now - START_GRACE_MS)
    throw startRejected('is in the past; omit it to start when the customer confirms');
  if (startAt > now + MAX_START_AHEAD_MS) throw startRejected('must be at most five years in the future');
}

function startRejected(reason: string): TerminalError {
  return new TerminalError('INVALID_REQUEST', `startAt ${reason}`, { field: 'startAt' });
}

function requireFreeMetadata({ metadata }: ScheduleRequest): void {
  const taken = RESERVED_METADATA.find((name) => metadata !== null && Object.hasOwn(metadata, name));
  if (taken === undefined) return;
  const message = `metadata must not have ${taken}: it is set on the payments of a recurring payment request`;
  throw new TerminalError('INVALID_METADATA', message);
}

async function requirePayable(deps: CreateScheduleDeps, caller: Caller, { crypto }: ScheduleRequest): Promise<void> {
  const payable = await listPayableCryptos(deps, caller);
  const isPayable = crypto === null ? payable.length > 0 : payable.some(({ symbol }) => symbol === crypto);
  if (isPayable) return;
  throw new TerminalError(
    'WALLET_NOT_CONFIGURED',
    crypto === null
      ? 'There is no wallet to pay to: add one, or use a test key'
      : `Payments in ${crypto} cannot be accepted: add a wallet for it, or omit crypto`,
  );
}
