import type { FastifyPluginAsync } from 'fastify';
import { listOf, maybe, oneOf, readFields, textUpTo, whole, yesOrNo } from '../../reading.ts';
import { requireReauth, requireRecentPassword, requireRole } from '../../session/index.ts';
import { memberOf, mode } from '../member.ts';
import { readChanges } from '../read-given.ts';
import type { KeysDesk } from './port.ts';

/** Above the length of any id. */
const MAX_ID_CHARACTERS = 100;
/** Above the limit of a name, so that the use case's error can state that limit. */
const MAX_NAME_CHARACTERS = 500;
const MAX_CIDR_CHARACTERS = 100;
/** Above the limit of ranges per key, for the same reason. */
const MAX_CIDRS = 150;

/**
 * Keys: owners create, replace and revoke them; staff can list them. A new key is returned once,
 * and never cached by a browser.
 */
export const keysRoutes: FastifyPluginAsync<{ readonly keys: KeysDesk }> = async (app, { keys }) => {
  const forOwners = { onRequest: requireRole('owner') };
  const withPassword = { onRequest: requireReauth('owner') };

  app.get('/keys', async (request) => ({ data: await keys.list(memberOf(request)) }));

  app.post('/keys', withPassword, async (request, reply) => {
    const fields = { kind, mode, name: maybe(name), oneOpenPaymentPerIp: maybe(yesOrNo) };
    const wanted = readFields(request.body, fields);
    const { name: called = '', oneOpenPaymentPerIp = false } = wanted;
    const made = await keys.create(memberOf(request), { ...wanted, name: called, oneOpenPaymentPerIp });
    return reply.code(201).send({ data: made });
  });

  app.post('/keys/:id/rotate', withPassword, async (request, reply) => {
    const wanted = readFields(request.body, { overlapMs: whole(0, Number.MAX_SAFE_INTEGER) });
    return reply.code(201).send({ data: await keys.rotate(memberOf(request), idIn(request.params), wanted) });
  });

  app.post('/keys/:id/revoke', forOwners, async (request) => ({
    data: await keys.revoke(memberOf(request), idIn(request.params)),
  }));

  app.patch('/keys/:id', forOwners, async (request) => {
    const changes = readChanges(request.body, {
      name: maybe(name),
      oneOpenPaymentPerIp: maybe(yesOrNo),
      allowedCidrs: maybe(listOf(textUpTo(MAX_CIDR_CHARACTERS), MAX_CIDRS)),
    });
    const id = idIn(request.params);
    // The addresses decide where a stolen key works.
    if (changes.allowedCidrs !== undefined) await requireRecentPassword(request);
    await keys.change(memberOf(request), id, changes);
    return { data: { id } };
  });
};

// Helpers

const kind = oneOf(['secret', 'publishable']);

/** An empty name removes it. */
function name(value: unknown, field: string): string {
  return value === '' ? '' : textUpTo(MAX_NAME_CHARACTERS)(value, field);
}

function idIn(params: unknown): string {
  return readFields(params, { id: textUpTo(MAX_ID_CHARACTERS) }).id;
}
