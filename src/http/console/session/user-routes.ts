import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { inviteUser, listUsers, manageUser, openMerchant, resendInvitation } from '../../../accounts/index.ts';
import { IdParams } from '../schema.ts';
import { type GuardOptions, requireReauth, requireRole, signedInOf, signedInUserOf } from './guard.ts';
import { NewMerchantBody, NewUserBody, UserChangesBody, UsersQuery } from './schemas.ts';

export interface UserOptions extends Pick<GuardOptions, 'accounts'> {
  /** Whether a mail server is connected. */
  readonly sendsMails: boolean;
}

/**
 * User management: owners manage the users of their merchant, operators those of the service, who
 * also create merchants with their first owner; operators see all. In a guarded scope.
 */
export const userRoutes: FastifyPluginAsyncTypebox<UserOptions> = async (app, { accounts, sendsMails }) => {
  const managers = { onRequest: requireRole('owner', 'operator') };
  const changers = { onRequest: requireReauth('owner', 'operator') };

  app.get('/users', { ...managers, schema: { querystring: UsersQuery } }, async (request) => {
    // The merchant of an owner is always their own, regardless of the request.
    const merchantId = signedInOf(request).merchant?.id ?? request.query.merchantId ?? null;
    return { data: await listUsers(accounts.db, { merchantId }) };
  });
  app.post('/users', { ...changers, schema: { body: NewUserBody } }, async (request, reply) => {
    const signedIn = { ...signedInUserOf(request), address: request.ip };
    const invitation = { ...request.body, merchantId: signedIn.merchantId };
    const invited = await inviteUser(accounts, signedIn, invitation, { sendsMails });
    return reply.code(201).send({ data: invited });
  });
  app.post('/users/:id/resend-invitation', { ...changers, schema: { params: IdParams } }, async (request) => {
    const signedIn = { ...signedInUserOf(request), address: request.ip };
    return { data: await resendInvitation(accounts, signedIn, request.params.id, { sendsMails }) };
  });
  const creation = { onRequest: requireReauth('operator'), schema: { body: NewMerchantBody } };
  app.post('/merchants', creation, async (request, reply) => {
    const signedIn = { ...signedInUserOf(request), address: request.ip };
    const opened = await openMerchant(accounts, signedIn, request.body, { sendsMails });
    return reply.code(201).send({ data: opened });
  });
  const changing = { params: IdParams, body: UserChangesBody };
  app.patch('/users/:id', { ...changers, schema: changing }, async (request) => {
    const signedIn = { ...signedInUserOf(request), address: request.ip };
    await manageUser(accounts, signedIn, request.params.id, request.body);
    return { data: null };
  });
};
