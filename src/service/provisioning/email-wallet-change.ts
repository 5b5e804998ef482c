import type { CryptoSymbol } from '../../../machines/index.ts';
import { emailOwners } from '../../accounts/index.ts';
import type { AuditedChange } from '../../merchants/index.ts';

/**
 * Emails the owners of a merchant that a provisioning file has changed where its live payments go.
 * It cannot be switched off. A new merchant has no owner yet.
 */
export async function emailWalletChange(
  change: Pick<AuditedChange, 'trx' | 'now'>,
  wallet: { readonly merchantId: string; readonly crypto: CryptoSymbol; readonly isReplaced: boolean },
): Promise<void> {
  const { merchantId, crypto, isReplaced } = wallet;
  const subject = `A wallet was ${isReplaced ? 'replaced' : 'added'}`;
  await emailOwners(change, {
    merchantId,
    about: `wallet_provisioned:${merchantId}:${crypto}:${change.now}`,
    content: {
      subject,
      blocks: [
        { kind: 'paragraph', text: `${subject} by the operator of this service.` },
        { kind: 'details', details: [['Coin', crypto]] },
        {
          kind: 'paragraph',
          text: 'Compare its first addresses in the console with your wallet. If they differ, do not accept payments in this coin and contact the operator.',
        },
      ],
    },
  });
}
