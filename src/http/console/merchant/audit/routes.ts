import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type ListedAuditEntry, listAudit } from '../../../../merchants/index.ts';
import { dataOf } from '../../schema.ts';
import { requireRole } from '../../session/guard.ts';
import type { MerchantDeps } from '../deps.ts';
import { memberOf } from '../member.ts';
import { type AuditEntryInfo, AuditList, AuditQuery } from './schemas.ts';

const ENTRIES = 50;

/** The audit log of a merchant, for its owners. */
export const auditRoutes: FastifyPluginAsyncTypebox<Pick<MerchantDeps, 'db'>> = async (app, { db }) => {
  const listing = { querystring: AuditQuery, response: { 200: dataOf(AuditList) } };
  app.get('/audit', { onRequest: requireRole('owner'), schema: listing }, async (request) => {
    const { what: about = null, from = null, cursor: before = null, limit = ENTRIES } = request.query;
    const { merchantId } = memberOf(request);
    const { entries, next } = await listAudit(db, { merchantId, about, from }, { before, limit });
    return { data: { entries: entries.map(toEntry), cursor: next === null ? null : String(next) } };
  });
};

// Helpers

/**
 * A new audited action compiles only once the schema lists it; then the page also needs a
 * sentence for it.
 */
function toEntry(entry: ListedAuditEntry): AuditEntryInfo {
  const { id, what, subjectId, subjectEmail, details, at } = entry;
  return { id, what, who: whoDid(entry), subjectId, subjectEmail, details, at };
}

/** Users of the merchant by email address; operators stay anonymous. */
function whoDid({ who, whoEmail }: ListedAuditEntry): AuditEntryInfo['who'] {
  if (whoEmail !== null) return { kind: 'colleague', email: whoEmail };
  if (who.startsWith('user ')) return { kind: 'operator' };
  return { kind: 'other', name: who };
}
