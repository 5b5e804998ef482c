import {
  createMailWorker,
  createNotifyActor,
  createSmtpTransport,
  type MailTransport,
} from '../../../src/mail/index.ts';
import {
  createOperatorAlertHandler,
  createSimulatedVerifyHandler,
  createTransactionKind,
  OPERATOR_ALERT_QUEUE,
  SIMULATED_VERIFY_QUEUE,
} from '../../../src/payments/index.ts';
import type { Bus } from '../../../src/platform/bus/index.ts';
import type { Clock } from '../../../src/platform/clock.ts';
import type { Connection } from '../../../src/platform/db/index.ts';
import type { ActorKind, Crash } from '../../../src/platform/engine/index.ts';
import { createScheduleKind, createTokens, notifySchedule } from '../../../src/recurring/index.ts';
import { mailConfig } from '../outside/smtp.ts';
import { silentLog } from '../silent-log.ts';
import { type Runtime, startRuntime } from './engine.ts';

/** Everything that recurring payment requests run on, in a process that can crash. */
export interface RecurringService {
  readonly runtime: Runtime;
  stop(): Promise<void>;
}

export interface RecurringServiceOptions {
  readonly connection: Connection;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly smtpPort: number;
  readonly crash?: Crash;
  /** Called inside the batch that completes a payment, before any of its writes. */
  readonly onCompleting?: () => void;
  /** Called when the mail server has accepted an email, before that is recorded. */
  readonly onSent?: () => void;
}

export const PUBLIC_URL = 'https://pay.example.com';
export const TOKENS = createTokens(new Uint8Array(32));

const QUICK_POLL_MS = 10;
const IN_FLIGHT = 16;

/** The charts involved. */
export function recurringKinds(clock: Clock, onCompleting: () => void = () => {}): ActorKind[] {
  const payments = createTransactionKind({
    publicUrl: PUBLIC_URL,
    notifySchedule(payment) {
      onCompleting();
      return notifySchedule(payment);
    },
  });
  return [payments, createScheduleKind({ publicUrl: PUBLIC_URL, tokens: TOKENS, clock })];
}

/** Starts engine, bus, timers and mail worker as the service does, without webhook endpoints. */
export async function startRecurringService(options: RecurringServiceOptions): Promise<RecurringService> {
  const { connection, bus, clock, crash } = options;
  const { db } = connection;
  const runtime = await startRuntime({
    connection,
    bus,
    clock,
    kinds: recurringKinds(clock, options.onCompleting),
    ...(crash === undefined ? {} : { crash }),
  });
  const { engine } = runtime;
  const handlers = [
    [SIMULATED_VERIFY_QUEUE, createSimulatedVerifyHandler({ db, engine })],
    [OPERATOR_ALERT_QUEUE, createOperatorAlertHandler({ log: silentLog })],
  ] as const;
  for (const [queue, handle] of handlers) {
    await bus.subscribe({ queue, maxInFlightPerPartition: IN_FLIGHT }, handle);
  }
  const mails = createMailWorker({
    db,
    transport: notifyingTransport(options),
    clock,
    log: silentLog,
    notifyActor: createNotifyActor({ engine }),
    pollEveryMs: QUICK_POLL_MS,
  });
  mails.start();
  return {
    runtime,
    async stop() {
      await mails.stop();
      await runtime.stop();
    },
  };
}

// Helpers

function notifyingTransport({ smtpPort, onSent }: RecurringServiceOptions): MailTransport {
  const smtp = createSmtpTransport(mailConfig(smtpPort));
  return {
    async send(mail, signal) {
      const result = await smtp.send(mail, signal);
      if (result.kind === 'sent') onSent?.();
      return result;
    },
  };
}
