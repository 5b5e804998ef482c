import type { AuditDesk } from '../../../console/index.ts';
import { whileDatabaseAnswers } from '../../../db/index.ts';
import { type ListedAuditEntry, listAudit } from '../../../merchants/index.ts';
import type { OutageNotice } from '../../../outage-notice.ts';
import type { DeskDeps } from './deps.ts';

/** The audit log of a merchant, for its owners. */
export function bindAudit({ create }: DeskDeps, { watch }: Pick<OutageNotice, 'watch'>): AuditDesk {
  return {
    list: ({ merchantId }, { what, from, before, limit }) =>
      watch(() =>
        whileDatabaseAnswers(async () => {
          const page = await listAudit(create.db, { merchantId, about: what, from }, { before, limit });
          return { entries: page.entries.map(toEntry), cursor: page.next === null ? null : String(page.next) };
        }),
      ),
  };
}

// Helpers

type Entry = Awaited<ReturnType<AuditDesk['list']>>['entries'][number];

/**
 * A new audited action compiles only once the contract lists it; then the page also needs a
 * sentence for it.
 */
function toEntry(entry: ListedAuditEntry): Entry {
  const { id, what, subjectId, subjectEmail, details, at } = entry;
  return { id, what, who: whoDid(entry), subjectId, subjectEmail, details, at };
}

/** Users of the merchant by email address; operators stay anonymous. */
function whoDid({ who, whoEmail }: ListedAuditEntry): Entry['who'] {
  if (whoEmail !== null) return { kind: 'colleague', email: whoEmail };
  if (who.startsWith('user ')) return { kind: 'operator' };
  return { kind: 'other', name: who };
}
