import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type ListedAuditEntry, listAudit } from '../../../../merchants/index.ts';
import { requireRole } from '../../session/guard.ts';
import type { MerchantDeps } from '../deps.ts';
import { memberOf } from '../member.ts';
import { type AuditEntryInfo, type AuditList, AuditQuery, type AuditWho } from './schemas.ts';

const ENTRIES = 50;

export const auditRoutes: FastifyPluginAsyncTypebox<Pick<MerchantDeps, 'db'>> = async (app, { db }) => {
  const listing = { onRequest: requireRole('owner'), schema: { querystring: AuditQuery } };
  app.get('/audit', listing, async (request) => {
    const { what: about = null, from = null, cursor: before = null, limit = ENTRIES } = request.query;
    const { merchantId } = memberOf(request);
    const { entries, next } = await listAudit(db, { merchantId, about, from }, { before, limit });
    const cursor = next === null ? null : String(next);
    return { data: { entries: entries.map(toEntry), cursor } satisfies AuditList };
  });
};

// Helpers

function toEntry(entry: ListedAuditEntry): AuditEntryInfo {
  const { id, what, subjectId, subject, details, at } = entry;
  return { id, what, who: whoDid(entry), subjectId, subject, details, at };
}

/** Users of the merchant by email address; operators stay anonymous. */
function whoDid({ who, whoEmail }: ListedAuditEntry): AuditWho {
  if (whoEmail !== null) return { kind: 'colleague', email: whoEmail };
  if (who.startsWith('user ')) return { kind: 'operator' };
  return { kind: 'other', name: who };
}
