import type { FastifyPluginAsync } from 'fastify';
import { inviteUser, listUsers, manageUser, openMerchant, type Session, USER_ROLES } from '../../accounts/index.ts';
import type { OpenedMerchantInfo, UserInfo } from '../contract/accounts.ts';
import { maybe, oneOf, readFields, text, yesOrNo } from '../reading.ts';
import { requireReauth, requireRole, signedInOf } from './guard.ts';
import type { SessionOptions } from './options.ts';
import { actorOf } from './views.ts';

/**
 * User management: owners manage the users of their merchant, operators those of the service, who
 * also create merchants with their first owner; operators see all. In a guarded scope.
 */
export const userRoutes: FastifyPluginAsync<Pick<SessionOptions, 'accounts' | 'sendsMails'>> = async (
  app,
  { accounts, sendsMails },
) => {
  const managers = { onRequest: requireRole('owner', 'operator') };
  const changers = { onRequest: requireReauth('owner', 'operator') };

  app.get('/users', managers, async (request) => {
    const { merchantId } = readFields(request.query, { merchantId: maybe(text) });
    const users = await listUsers(accounts.db, { merchantId: placeOf(signedInOf(request), merchantId) });
    return { data: users satisfies readonly UserInfo[] };
  });
  app.post('/users', changers, async (request, reply) => {
    const signedIn = signedInOf(request);
    const { email, role } = readFields(request.body, { email: text, role: oneOf(USER_ROLES) });
    const merchantId = signedIn.merchant?.id ?? null;
    const id = await inviteUser(accounts, { ...actorOf(signedIn), address: request.ip }, { email, role, merchantId });
    return reply.code(201).send({ data: { id } });
  });
  app.post('/merchants', { onRequest: requireReauth('operator') }, async (request, reply) => {
    const shop = readFields(request.body, { name: text, email: text });
    const opened = await openMerchant(accounts, { ...actorOf(signedInOf(request)), address: request.ip }, shop, {
      sendsMails,
    });
    return reply.code(201).send({ data: opened satisfies OpenedMerchantInfo });
  });
  app.patch<{ Params: { id: string } }>('/users/:id', changers, async (request) => {
    const { role, isDisabled } = readFields(request.body, {
      role: maybe(oneOf(USER_ROLES)),
      isDisabled: maybe(yesOrNo),
    });
    const changes = { ...(role === undefined ? {} : { role }), ...(isDisabled === undefined ? {} : { isDisabled }) };
    await manageUser(accounts, { ...actorOf(signedInOf(request)), address: request.ip }, request.params.id, changes);
    return { data: null };
  });
};

// Helpers

/** The merchant of an owner is always their own, whatever the request says. */
function placeOf({ merchant }: Session, wanted: string | undefined): string | null {
  return merchant?.id ?? wanted ?? null;
}
