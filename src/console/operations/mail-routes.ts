import type { FastifyInstance } from 'fastify';
import { TerminalError } from '../../errors.ts';
import { getStoredMail, type ListedMail, listStoredMails } from '../../mail/index.ts';
import type { KeptMail, KeptMailInfo, KeptMailPage } from '../contract/operations.ts';
import type { OperatorOptions } from './options.ts';
import { type Query, readText, readWhole, requireKnown } from './read-query.ts';

const MAX_MAILS = 100;

/**
 * Stored mails that were never sent, only for operators: they contain e-mail addresses, and those
 * to customers contain links that act in their name.
 */
export function mailRoutes(app: FastifyInstance, { deps, guard }: OperatorOptions): void {
  app.get<{ Querystring: Query }>('/mails', { onRequest: guard.write }, async ({ query }) => {
    requireKnown(query, ['cursor', 'limit']);
    const limit = Math.max(1, readWhole(query, 'limit', MAX_MAILS) ?? MAX_MAILS);
    const before = readText(query, 'cursor');
    const { mails, hasMore } = await listStoredMails(deps.db, { limit, ...(before === null ? {} : { before }) });
    const cursor = hasMore ? (mails.at(-1)?.id ?? null) : null;
    return { data: { mails: mails.map(infoOf), cursor } satisfies KeptMailPage };
  });
  app.get<{ Params: { id: string } }>('/mails/:id', { onRequest: guard.write }, async ({ params }) => {
    const mail = await getStoredMail(deps.db, params.id);
    if (mail === null) throw new TerminalError('NOT_FOUND', 'There is no kept mail of this id', { field: 'id' });
    return { data: { ...infoOf(mail), text: mail.isToCustomer ? mail.text : null } satisfies KeptMail };
  });
}

// Helpers

function infoOf({ id, createdAt: at, recipient, fromName, subject }: ListedMail): KeptMailInfo {
  return { id, at, recipient, fromName, subject };
}
