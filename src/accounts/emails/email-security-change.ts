import { randomUUID } from 'node:crypto';
import type { UnixMs } from '../../../machines/index.ts';
import { paragraph, type RenderedEmail } from '../../mail/index.ts';
import type { AuditedChange } from '../../merchants/index.ts';
import { isoTime } from '../../platform/iso-time.ts';
import type { SignedInUser } from '../deps.ts';
import { emailOwners, type OwnerNotice, renderOwnersEmail } from './email-owners.ts';

/** A change in the console that decides where money goes, or who can decide that. */
export interface SecurityChange {
  /** For example `An API key was created`. */
  readonly subject: string;
  /**
   * What was changed, in terms that an owner can find in the console. Must not contain a secret.
   */
  readonly details: readonly (readonly [name: string, value: string])[];
}

/**
 * Emails all owners of the merchant, or all operators for the service itself, what was changed, by
 * whom and from where, in the commit of the change. One email per change, so that an attacker's
 * change is not hidden behind one of the owner's.
 */
export async function emailSecurityChange(
  change: AuditedChange,
  { userId, merchantId, address }: Pick<SignedInUser, 'userId' | 'merchantId' | 'address'>,
  { subject, details }: SecurityChange,
): Promise<void> {
  const user = await change.trx.selectFrom('merchant_user').select('email').where('id', '=', userId).executeTakeFirst();
  await emailOwners(change, {
    merchantId,
    about: `security_change:${randomUUID()}`,
    content: contentOf({ subject, details }, { by: user?.email ?? userId, address: address ?? null, at: change.now }),
  });
}

/** Such an email about a change that was not made. */
export function sampleSecurityEmail({ shop, now }: { readonly shop: string; readonly now: UnixMs }): RenderedEmail {
  const change: SecurityChange = { subject: 'A wallet was replaced', details: [['Coin', 'LTC']] };
  return renderOwnersEmail(contentOf(change, { by: 'owner@shop.example', address: '203.0.113.7', at: now }), shop);
}

// Helpers

function contentOf(
  { subject, details }: SecurityChange,
  { by, address, at }: { readonly by: string; readonly address: string | null; readonly at: UnixMs },
): OwnerNotice['content'] {
  return {
    subject,
    blocks: [
      paragraph(`${subject}.`),
      {
        kind: 'details',
        details: [...details, ['Changed by', by], ['From', address ?? 'an unknown address'], ['At', isoTime(at)]],
      },
      {
        kind: 'paragraph',
        text: 'If you or a colleague did this, no action is needed. If not, undo it in the console immediately, set a new password and end all sessions.',
      },
    ],
  };
}
