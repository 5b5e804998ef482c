import type { Log } from '../../log.ts';
import { logFieldsOf, parseContext } from '../../request-context.ts';
import { type Command, merchantOf } from './command.ts';
import type { BatchResult } from './run-batch.ts';

/**
 * Logs the results of a batch, with the request context of each caller: a line per command at level
 * debug, and an error per event that was dead-lettered.
 */
export function logBatch(log: Log, commands: readonly Command[], result: BatchResult): void {
  if (log.isLevelEnabled('debug')) logCommands(log, commands, result);
  for (const { actorId, messageId, reason } of result.deadLetters) {
    log.error({ ...contextOf(commands, messageId), actorId, messageId, reason }, 'an event became a dead letter');
  }
}

// Helpers

function logCommands(log: Log, commands: readonly Command[], { results }: BatchResult): void {
  for (const [index, command] of commands.entries()) {
    const each = results[index];
    if (each === undefined || 'rejection' in each) continue;
    const { outcome } = each.outcome;
    const event = command.type === 'event' ? command.event.type : 'actor.started';
    const merchantId = merchantOf(each);
    const fields = {
      ...logFieldsOf(parseContext(command.trace ?? null)),
      ...(merchantId === null ? {} : { merchantId }),
      actorId: command.actorId,
      kind: each.actor?.kind.name,
      event,
      outcome,
      state: each.actor?.state,
    };
    log.debug(fields, 'an actor processed an event');
  }
}

/** Request context fields of the command whose event became this dead letter. */
function contextOf(commands: readonly Command[], messageId: string): Record<string, string> {
  const found = commands.find(
    (command) => command.type === 'event' && `${command.actorId}:${command.eventId}` === messageId,
  );
  return logFieldsOf(parseContext(found?.trace ?? null));
}
