import type { BusHandler, ReceivedMessage } from '../bus/index.ts';
import { TerminalError } from '../errors.ts';
import { bindRequestContext } from '../request-context.ts';
import { type Crash, neverCrash } from './crash-points.ts';
import type { Engine } from './engine.ts';
import type { EventCommand } from './types.ts';

/**
 * Delivers bus messages to the engine; acknowledges after the commit. Events that failed in the
 * engine are dead-lettered by it; a message that is not an event, or is for an unknown actor, is
 * rejected with `TerminalError`, so that the bus dead-letters it.
 */
export function createBusHandler(engine: Engine, crash: Crash = neverCrash): BusHandler {
  return async (message) => {
    crash('receive.before_deliver');
    const command = toCommand(message);
    bindRequestContext({ actorId: command.actorId });
    const { outcome } = await engine.deliver(command);
    crash('receive.after_commit');
    if (outcome === 'unknown_actor') throw new TerminalError('UNKNOWN_ACTOR', 'No actor has this id');
  };
}

/** Validates untyped data as an event for an actor. */
export function isEventCommand(data: unknown): data is EventCommand {
  if (typeof data !== 'object' || data === null) return false;
  const { actorId, eventId, event, topic } = data as Record<string, unknown>;
  if (typeof actorId !== 'string' || typeof eventId !== 'string') return false;
  if (topic !== undefined && typeof topic !== 'string') return false;
  return typeof event === 'object' && event !== null && typeof (event as Record<string, unknown>).type === 'string';
}

// Helpers

function toCommand({ data }: ReceivedMessage): EventCommand {
  if (isEventCommand(data)) return data;
  throw new TerminalError('NOT_AN_EVENT', 'The message is not {actorId, eventId, event: {type}}');
}
