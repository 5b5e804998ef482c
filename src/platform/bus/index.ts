/** Public exports of the message bus. */

export { createLocalBus } from './local/create-local-bus.ts';
export { createNatsBus } from './nats/create-nats-bus.ts';
export type { InspectedServer } from './nats/inspect-server.ts';
export { inspectNatsServer } from './nats/inspect-server.ts';
export type { BusObserver } from './observer.ts';
export type {
  Bus,
  BusHandler,
  BusMessage,
  DeadLetterPort,
  ReceivedMessage,
  Subscription,
} from './port.ts';
export { MAX_HANDLER_FAILURES, PARTITIONS, partitionOf } from './port.ts';
export { createTracedBus } from './traced-bus.ts';
