import type { Engine } from '../engine/index.ts';

/**
 * Tells an actor that its mail could not be delivered because there is no such mailbox. Resolves when it has heard, also when it
 * had heard before or does not react; rejects when it cannot be told now, and is to be asked again then.
 */
export type TellActor = (actorId: string, mailId: string) => Promise<void>;

/** Tells by an event whose id names the mail, so that one bounce is heard once, however it is found out and repeated. */
export function createTellActor({ engine }: { readonly engine: Pick<Engine, 'deliver'> }): TellActor {
  return async (actorId, mailId) => {
    await engine.deliver({ actorId, eventId: `bounce:${mailId}`, event: { type: 'mail.bounced' } });
  };
}
