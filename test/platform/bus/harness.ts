import type { Bus, BusMessage, DeadLetterPort } from '../../../src/platform/bus/index.ts';
import type { EventLog } from '../../../src/platform/log.ts';

/** Dependencies of the bus under test. */
export interface BusParts {
  readonly deadLetter: DeadLetterPort;
  readonly log: EventLog;
  readonly failureDelaysMs: readonly number[];
}

/** Opens a bus; buses of one suite share a broker, if there is one. */
export type OpenBus = (parts: BusParts) => Bus;

export interface DeadLetter {
  readonly message: BusMessage;
  readonly reason: string;
}

/** The buses of one test, with the dead letters of all of them. */
export interface Buses {
  open(deadLetter?: DeadLetterPort): Bus;
  readonly deadLetters: readonly DeadLetter[];
  closeAll(): Promise<void>;
}

/** For parts that are tested without a bus. */
export const silentLog: EventLog = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** Short delays after unknown failures. */
const FAILURE_DELAYS_MS = [1];

export function createBuses(openBus: OpenBus): Buses {
  const deadLetters: DeadLetter[] = [];
  const buses: Bus[] = [];
  const store: DeadLetterPort = async (message, reason) => void deadLetters.push({ message, reason });
  return {
    deadLetters,
    open(deadLetter = store) {
      const bus = openBus({ deadLetter, log: silentLog, failureDelaysMs: FAILURE_DELAYS_MS });
      buses.push(bus);
      return bus;
    },
    async closeAll() {
      await Promise.all(buses.map((bus) => bus.close()));
    },
  };
}

/** A gate where handlers wait until the test opens it. */
export function createGate(): { readonly opened: Promise<void>; open(): void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

let queues = 0;

/** A new queue name. */
export function newQueue(): string {
  queues += 1;
  return `queue-${queues}`;
}

/** A publish whose rejection does not matter, at the end of a test for example. */
export function publishQuietly(bus: Bus, message: BusMessage): void {
  bus.publish(message).catch(() => undefined);
}
