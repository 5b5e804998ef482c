import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { UnixMs } from '../../../../../machines/index.ts';
import { emailSecurityChange } from '../../../../accounts/index.ts';
import {
  allowAddresses,
  callerForMerchant,
  changeKey,
  createKey,
  createPlanCache,
  type KeySummary,
  listKeys,
  MAX_OVERLAP_MS,
  revokeKey,
  rotateKey,
} from '../../../../merchants/index.ts';
import { IdParams } from '../../schema.ts';
import { requireReauth, requireRecentPassword, requireRole } from '../../session/guard.ts';
import type { MerchantDeps } from '../deps.ts';
import { changeAsMember, memberOf } from '../member.ts';
import { KeyChangesBody, type KeyInfo, type KeyList, NewKeyBody, type RevokedKey, RotateKeyBody } from './schemas.ts';

/** Ended keys stay visible for a while, to explain why a server is rejected. */
const MAX_ENDED_KEYS = 50;

type KeysDeps = Pick<MerchantDeps, 'db' | 'clock' | 'plansEnabled'>;

/**
 * Keys: owners create, replace and revoke them; staff can list them. A new key is returned once,
 * and never cached by a browser. Another merchant's is `KEY_NOT_FOUND`.
 */
export const keysRoutes: FastifyPluginAsyncTypebox<KeysDeps> = async (app, { plansEnabled, ...deps }) => {
  const { db, clock } = deps;
  const plans = createPlanCache({ db, clock, plansEnabled });
  const termsOf = async (merchantId: string) =>
    plans.termsOf((await callerForMerchant(db, { merchantId, mode: 'live' })).plan);
  const forOwners = { onRequest: requireRole('owner') };
  const withPassword = { onRequest: requireReauth('owner') };

  app.get('/keys', async (request) => {
    const { merchantId } = memberOf(request);
    const [all, terms] = await Promise.all([listKeys(db, merchantId), termsOf(merchantId)]);
    const now = clock.now();
    const keys = all.map((key) => toInfo(key, now));
    const ended = keys.filter(({ works }) => !works).toSorted(byEnd);
    return {
      data: {
        keys: keys.filter(({ works }) => works),
        ended: ended.slice(0, MAX_ENDED_KEYS),
        canTieToAddresses: terms.ipWhitelist,
        maxOverlapMs: MAX_OVERLAP_MS,
      } satisfies KeyList,
    };
  });

  app.post('/keys', { ...withPassword, schema: { body: NewKeyBody } }, async (request, reply) => {
    const input = { name: '', oneOpenPaymentPerIp: false, ...request.body };
    const member = memberOf(request);
    const made = await changeAsMember(deps, member, async (change) => {
      const key = await createKey(change, { ...input, merchantId: member.merchantId });
      const details = [['Key', key.id] as const, ['Kind', `${input.kind}, ${input.mode}`] as const];
      await emailSecurityChange(change, member, { subject: 'An API key was created', details });
      return key;
    });
    return reply.code(201).send({ data: made });
  });

  const rotation = { params: IdParams, body: RotateKeyBody };
  app.post('/keys/:id/rotate', { ...withPassword, schema: rotation }, async (request, reply) => {
    const { id: keyId } = request.params;
    const member = memberOf(request);
    const made = await changeAsMember(deps, member, async (change) => {
      const key = await rotateKey(change, { merchantId: member.merchantId, keyId, ...request.body });
      const details = [['Key', keyId] as const, ['New key', key.id] as const];
      await emailSecurityChange(change, member, { subject: 'An API key was replaced', details });
      return key;
    });
    return reply.code(201).send({ data: made });
  });

  app.post('/keys/:id/revoke', { ...forOwners, schema: { params: IdParams } }, async (request) => {
    const { id } = request.params;
    const member = memberOf(request);
    const { merchantId } = member;
    const endedAt = await changeAsMember(deps, member, async (change) => {
      const details = [['Key', id] as const];
      const { revokedAt, isChanged } = await revokeKey(change, { merchantId, keyId: id });
      if (isChanged) await emailSecurityChange(change, member, { subject: 'An API key was revoked', details });
      return revokedAt;
    });
    return { data: { id, endedAt } satisfies RevokedKey };
  });

  const changing = { params: IdParams, body: KeyChangesBody };
  app.patch('/keys/:id', { ...forOwners, schema: changing }, async (request) => {
    const { allowedCidrs: cidrs, ...changes } = request.body;
    const { id: keyId } = request.params;
    // The addresses decide where a stolen key works.
    if (cidrs !== undefined) await requireRecentPassword(request);
    const member = memberOf(request);
    const input = { merchantId: member.merchantId, keyId };
    const terms = await termsOf(member.merchantId);
    // All changes or none.
    await changeAsMember(deps, member, async (change) => {
      if (Object.keys(changes).length > 0) await changeKey(change, input, changes);
      if (cidrs === undefined) return;
      const { isChanged } = await allowAddresses(change, { ...input, terms, cidrs });
      if (!isChanged) return;
      const works = cidrs.length === 0 ? 'any address' : cidrs.join(', ');
      const details = [['Key', keyId] as const, ['Works from', works] as const];
      await emailSecurityChange(change, member, {
        subject: 'The allowed IP addresses of an API key were changed',
        details,
      });
    });
    return { data: { id: keyId } };
  });
};

// Helpers

function toInfo(key: KeySummary, now: UnixMs): KeyInfo {
  return { ...key, works: key.endsAt === null || key.endsAt > now };
}

function byEnd(one: Pick<KeySummary, 'endsAt'>, other: Pick<KeySummary, 'endsAt'>): number {
  return (other.endsAt ?? 0) - (one.endsAt ?? 0);
}
