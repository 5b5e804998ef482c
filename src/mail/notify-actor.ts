import type { Engine } from '../engine/index.ts';

/**
 * Notifies an actor that the mailbox of its email does not exist. Resolves when the event was
 * delivered, also when it is a duplicate or ignored; rejects when it cannot be delivered now and
 * must be retried.
 */
export type NotifyActor = (actorId: string, mailId: string) => Promise<void>;

/** The event id names the email, so that one bounce counts once, however often it is reported. */
export function createNotifyActor({ engine }: { readonly engine: Pick<Engine, 'deliver'> }): NotifyActor {
  return async (actorId, mailId) => {
    await engine.deliver({ actorId, eventId: `bounce:${mailId}`, event: { type: 'mail.bounced' } });
  };
}
