import type { Kysely } from 'kysely';
import { applyPurchases, createCompletionCounter, createPlanAdmission } from '../../billing/index.ts';
import { type Bus, createLocalBus, createNatsBus } from '../../bus/index.ts';
import type { Clock } from '../../clock.ts';
import type { Config } from '../../config/index.ts';
import type { Database } from '../../db/index.ts';
import {
  createEngine,
  createKindRegistry,
  createRelay,
  createTimerService,
  type Engine,
  insertDeadLetters,
  type KindRegistry,
  type Relay,
  type TimerService,
} from '../../engine/index.ts';
import { countLinkUses } from '../../links/index.ts';
import type { Log } from '../../log.ts';
import { createTransactionKind } from '../../payments/index.ts';
import { announceCompleted, createScheduleKind, settleForgottenPeriods, type Tokens } from '../../recurring/index.ts';
import { createDeliveryKind } from '../../webhooks/index.ts';

/** The engine with its ways in and out, wired but not running. */
export interface Runtime {
  readonly bus: Bus;
  readonly engine: Engine;
  /** The charts it runs. */
  readonly kinds: KindRegistry;
  readonly relay: Relay;
  readonly timers: TimerService;
}

export interface RuntimeDeps {
  readonly config: Pick<Config, 'nats' | 'plansEnabled'>;
  readonly db: Kysely<Database>;
  readonly clock: Clock;
  readonly log: Log;
  readonly publicUrl: string;
  /** Makes the links in mails to customers. */
  readonly tokens: Tokens;
}

/** Wires bus, engine, outbox relay and timers. */
export function createRuntime({ config, db, clock, log, publicUrl, tokens }: RuntimeDeps): Runtime {
  const bus = createBus(config, db, log);
  const transactions = createTransactionKind({
    publicUrl,
    // Counted also while plans are off, so that switching them on finds the month as it was.
    onCompleted: [createCompletionCounter(config), applyPurchases, countLinkUses, settleForgottenPeriods],
    announceCompleted,
    ...(config.plansEnabled ? { admission: createPlanAdmission({ clock }) } : {}),
  });
  const schedules = createScheduleKind({ publicUrl, tokens, clock });
  const kinds = createKindRegistry([transactions, createDeliveryKind(), schedules]);
  const relay = createRelay({ db, bus, log });
  const timers = createTimerService({ db, bus, clock, log });
  const engine = createEngine({
    db,
    kinds,
    clock,
    log,
    onCommitted(messages, setTimers) {
      relay.publish(messages);
      if (setTimers) timers.wake();
    },
  });
  return { bus, engine, kinds, relay, timers };
}

// Helpers

function createBus({ nats }: Pick<Config, 'nats'>, db: Kysely<Database>, log: Log): Bus {
  const deadLetter: Parameters<typeof createLocalBus>[0]['deadLetter'] = async (message, reason) => {
    const { queue, id: messageId, data } = message;
    await insertDeadLetters(db, [{ queue, messageId, actorId: null, data, reason }]);
    log.error({ queue, messageId, reason }, 'a message was set aside as a dead letter');
  };
  if (nats.url === null) return createLocalBus({ deadLetter, log });
  return createNatsBus({ url: nats.url, prefix: nats.prefix, deadLetter, log });
}
