import type { FastifyPluginAsync } from 'fastify';
import type { AuditSubjectKind } from '../../contract/audit.ts';
import { maybe, oneOf, readFields, whole } from '../../reading.ts';
import { requireRole } from '../../session/index.ts';
import { memberOf } from '../member.ts';
import type { AuditDesk } from './port.ts';

const MAX_ENTRIES = 200;
const ENTRIES = 50;
/** Largest integer that a query accepts; a number represents it exactly. */
const MAX_ID = 999_999_999_999_999;
/** 9999-12-31: the last day that a date field can contain. */
const LAST_MOMENT = Date.UTC(9999, 11, 31);

/** Total, so that every audited action can be queried. */
const KINDS: Readonly<Record<AuditSubjectKind, true>> = {
  merchant: true,
  user: true,
  session: true,
  api_key: true,
  webhook_endpoint: true,
  wallet: true,
  payment_link: true,
  schedule: true,
  payment: true,
  attention: true,
};

/** GET `audit`, for owners. */
export const auditRoutes: FastifyPluginAsync<{ readonly audit: AuditDesk }> = async (app, { audit }) => {
  const kinds = Object.keys(KINDS) as AuditSubjectKind[];
  app.get('/audit', { onRequest: requireRole('owner') }, async (request) => {
    const query = readFields(request.query, {
      what: maybe(oneOf(kinds)),
      from: maybe(whole(0, LAST_MOMENT)),
      cursor: maybe(whole(1, MAX_ID)),
      limit: maybe(whole(1, MAX_ENTRIES)),
    });
    const { what = null, from = null, cursor = null, limit = ENTRIES } = query;
    return { data: await audit.list(memberOf(request), { what, from, before: cursor, limit }) };
  });
};
