import type { Engine } from '../engine/index.ts';

/**
 * Notifies an actor that the mailbox of its email does not exist. Resolves when the event was
 * delivered, also when it is a duplicate or ignored; rejects when it cannot be delivered now and
 * must be retried.
 */
export type TellActor = (actorId: string, mailId: string) => Promise<void>;

/** The event id names the email, so that one bounce counts once, however often it is reported. */
export function createTellActor({ engine }: { readonly engine: Pick<Engine, 'deliver'> }): TellActor {
  return async (actorId, mailId) => {
    await engine.deliver({ actorId, eventId: `bounce:${mailId}`, event: { type: 'mail.bounced' } });
  };
}
