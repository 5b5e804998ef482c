import type { CryptoSymbol } from '../../../machines/index.ts';
import { emailOwners } from '../../accounts/index.ts';
import { type AuditedChange, findMerchantsOfKey } from '../../merchants/index.ts';

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

/** Emails the owners of the other merchants that the operator lets share a wallet from now on. */
export async function emailSharedWallet(
  change: Pick<AuditedChange, 'trx' | 'now'>,
  wallet: { readonly merchantId: string; readonly network: string; readonly derivationKeyId: string },
): Promise<void> {
  const { merchantId: newcomer, network, derivationKeyId } = wallet;
  const subject = 'A wallet is shared with another merchant';
  for (const merchantId of await findMerchantsOfKey(change.trx, derivationKeyId)) {
    if (merchantId === newcomer) continue;
    await emailOwners(change, {
      merchantId,
      about: `wallet_shared:${merchantId}:${newcomer}:${derivationKeyId}:${change.now}`,
      content: {
        subject,
        blocks: [
          {
            kind: 'paragraph',
            text: 'The operator of this service has added your wallet to another merchant, which now uses up its addresses too.',
          },
          { kind: 'details', details: [['Network', network]] },
          {
            kind: 'paragraph',
            text: 'If you did not ask for this, contact the operator, and replace the wallet by another account of yours.',
          },
        ],
      },
    });
  }
}
