import type { AuditEntryInfo, AuditSubjectKind } from '../../../../http/console/merchant/audit/schemas.ts';
import { Link } from '../../../routing/link.tsx';
import { hrefOf } from '../../../routing/paths.ts';
import { Dash } from '../../../ui/lists/table.tsx';
import { shortIdText } from '../../../ui/values/short-id-text.ts';

/** What an entry is about, with a link to its page, if it has one. */
export function Subject({ entry }: { readonly entry: AuditEntryInfo }) {
  const { what, subject, subjectId } = entry;
  const kind = what.slice(0, what.indexOf('.')) as AuditSubjectKind;
  const name = coinsOf(entry) ?? subject?.name ?? null;
  if (name === null && (kind === 'merchant' || kind === 'session')) return <Dash />;
  const text = name ?? shortIdText(subjectId);
  const href = subject === null || subject.isDeleted ? null : (HREFS[kind]?.(subjectId, subject) ?? null);
  return (
    <span className="audit-subject" title={name ?? subjectId}>
      {href === null ? text : <Link href={href}>{text}</Link>}
    </span>
  );
}

// Helpers

type SubjectHref = (id: string, subject: NonNullable<AuditEntryInfo['subject']>) => string;

const paymentHref: SubjectHref = (id, { mode }) => hrefOf('payment', { id }, {}, mode ?? 'live');

/** Entries of a list page link to the list. */
const HREFS: Readonly<Partial<Record<AuditSubjectKind, SubjectHref>>> = {
  payment: paymentHref,
  attention: paymentHref,
  payment_link: (slug, { mode }) => hrefOf('links', {}, { link: slug }, mode ?? 'live'),
  schedule: (id, { mode }) => hrefOf('schedule', { id }, {}, mode ?? 'live'),
  webhook_endpoint: (id) => hrefOf('endpoint', { id }),
  wallet: () => hrefOf('wallets', {}),
  api_key: () => hrefOf('keys', {}),
  user: () => hrefOf('users', {}),
};

/** The coins a wallet was set for, which other wallets may take by now. */
function coinsOf({ what, details }: AuditEntryInfo): string | null {
  if (!what.startsWith('wallet.')) return null;
  const { cryptos, crypto } = details;
  if (Array.isArray(cryptos)) return cryptos.join(', ');
  return typeof crypto === 'string' ? crypto : null;
}
