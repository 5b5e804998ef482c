import { parseContext, runInNewContext, serializeContext } from '../request-context.ts';
import type { Attributes, Tracer } from '../tracer.ts';
import type { Bus, BusMessage, ReceivedMessage } from './port.ts';

/**
 * Wraps a bus with one span per publish and one per delivery, the latter a child of the former. On
 * the in-process bus the publish span lasts until a handler has settled the message.
 */
export function createTracedBus(
  bus: Bus,
  { tracer, system }: { readonly tracer: Tracer; readonly system: string },
): Bus {
  function publish(message: BusMessage): Promise<void> {
    const options = { kind: 'producer', attributes: attributesOf(message, system) } as const;
    return tracer.span(`publish ${message.queue}`, options, () =>
      bus.publish({ ...message, trace: serializeContext() }),
    );
  }

  return {
    publish(message) {
      const { trace = null } = message;
      return trace === null ? publish(message) : runInNewContext(parseContext(trace), () => publish(message));
    },
    subscribe(options, handle) {
      return bus.subscribe(options, (message) => {
        const attributes = { ...attributesOf(message, system), 'quittance.message.attempt': message.attempt };
        return tracer.span(`receive ${message.queue}`, { kind: 'consumer', attributes }, () => handle(message));
      });
    },
    isHealthy: () => bus.isHealthy(),
    waiting: () => bus.waiting(),
    close: (timeoutMs) => bus.close(timeoutMs),
  };
}

// Helpers

function attributesOf({ queue, partition, id, data }: BusMessage | ReceivedMessage, system: string): Attributes {
  return {
    'messaging.system': system,
    'messaging.destination.name': queue,
    'messaging.destination.partition.id': String(partition),
    'messaging.message.id': id,
    'quittance.actor.id': actorIdOf(data),
  };
}

/** Events for actors contain the actor id; no other data is recorded. */
function actorIdOf(data: unknown): string | null {
  const id = typeof data === 'object' && data !== null && 'actorId' in data ? data.actorId : null;
  return typeof id === 'string' ? id : null;
}
