import type { FastifyPluginAsync } from 'fastify';
import { type Session, USER_ROLES } from '../../accounts/index.ts';
import type { UserInfo } from '../contract/accounts.ts';
import { maybe, oneOf, readFields, text, yesOrNo } from '../reading.ts';
import { requireRole, signedInOf } from './guard.ts';
import type { Accounts } from './ports.ts';
import { actorOf } from './views.ts';

/** The users of a merchant for its owners, and all users for those who run the service. In a guarded scope. */
export const userRoutes: FastifyPluginAsync<{ readonly accounts: Accounts }> = async (app, { accounts }) => {
  const managers = { onRequest: requireRole('owner', 'operator') };

  app.get('/users', managers, async (request) => {
    const { merchantId } = readFields(request.query, { merchantId: maybe(text) });
    const users = await accounts.listUsers({ merchantId: placeOf(signedInOf(request), merchantId) });
    return { data: users satisfies readonly UserInfo[] };
  });
  app.post('/users', managers, async (request, reply) => {
    const signedIn = signedInOf(request);
    const { email, role, merchantId } = readFields(request.body, {
      email: text,
      role: oneOf(USER_ROLES),
      merchantId: maybe(text),
    });
    const place = placeOf(signedIn, merchantId);
    const id = await accounts.inviteUser(actorOf(signedIn), { email, role, merchantId: place });
    return reply.code(201).send({ data: { id } });
  });
  app.patch<{ Params: { id: string } }>('/users/:id', managers, async (request) => {
    const { role, isDisabled } = readFields(request.body, {
      role: maybe(oneOf(USER_ROLES)),
      isDisabled: maybe(yesOrNo),
    });
    const changes = { ...(role === undefined ? {} : { role }), ...(isDisabled === undefined ? {} : { isDisabled }) };
    await accounts.manageUser(actorOf(signedInOf(request)), request.params.id, changes);
    return { data: null };
  });
};

// Helpers

/** An owner is always at their own merchant, whatever the request says. */
function placeOf({ merchant }: Session, wanted: string | undefined): string | null {
  return merchant?.id ?? wanted ?? null;
}
