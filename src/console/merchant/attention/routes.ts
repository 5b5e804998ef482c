import type { FastifyPluginAsync } from 'fastify';
import type { AttentionKindName } from '../../contract/attention.ts';
import { maybe, oneOf, readFields, text, textUpTo, whole } from '../../reading.ts';
import { memberOf, mode } from '../member.ts';
import type { AttentionDesk } from './port.ts';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 100;
const MAX_NOTE_CHARACTERS = 500;

/** Attention items: count, list, and settling one. */
export const attentionRoutes: FastifyPluginAsync<{ readonly attention: AttentionDesk }> = async (
  app,
  { attention },
) => {
  app.get('/attention/count', async (request) => {
    const { mode: wanted } = readFields(request.query, { mode });
    return { data: await attention.count(memberOf(request), wanted) };
  });

  app.get('/attention', async (request) => {
    const query = readFields(request.query, {
      mode,
      kind: maybe(kind),
      show: maybe(oneOf(['open', 'settled'])),
      cursor: maybe(text),
      limit: maybe(whole(1, MAX_LIMIT)),
    });
    const list = await attention.list(memberOf(request), {
      mode: query.mode,
      kind: query.kind,
      isSettled: query.show === 'settled',
      cursor: query.cursor,
      limit: query.limit ?? DEFAULT_LIMIT,
    });
    return { data: list };
  });

  app.post('/attention/:transactionId/:kind/settle', async (request, reply) => {
    const item = readFields(request.params, { transactionId: text, kind });
    const body = readFields(request.body, {
      note: textUpTo(MAX_NOTE_CHARACTERS),
      amountCrypto: text,
      revision: whole(1, Number.MAX_SAFE_INTEGER),
    });
    await attention.settle(memberOf(request), item, body);
    return reply.code(204).send();
  });
};

// Helpers

const kind = oneOf<AttentionKindName>([
  'paid_late',
  'needs_review',
  'underpaid',
  'overpaid',
  'coins_on_closed',
  'unassigned_coins',
]);
