/** Public exports of the message bus. */

export type { BusObserver } from './attempt.ts';
export { createLocalBus } from './local/create-local-bus.ts';
export { createNatsBus } from './nats/create-nats-bus.ts';
export { type InspectedServer, inspectNatsServer } from './nats/inspect-server.ts';
export {
  type Bus,
  type BusHandler,
  type BusMessage,
  type DeadLetterPort,
  MAX_HANDLER_FAILURES,
  PARTITIONS,
  partitionOf,
  type ReceivedMessage,
  type Subscription,
} from './port.ts';
export { createTracedBus } from './traced-bus.ts';
