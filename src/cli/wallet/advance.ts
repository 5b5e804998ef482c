import { findMerchantWallets, writeAudit } from '../../merchants/index.ts';
import { liftTimeouts } from '../../platform/db/index.ts';
import { TerminalError } from '../../platform/errors.ts';
import { advanceIndex } from '../../wallets/index.ts';
import { changing, withMerchant } from '../key/context.ts';
import { printResult } from '../print.ts';
import type { WalletValues } from './commands.ts';

/** `quittance wallet advance`: skips addresses, so that a restored wallet issues none twice. */
export async function advance({ merchant, crypto, by, json }: WalletValues['advance']): Promise<void> {
  const advanced = await withMerchant(merchant, (db, { id: merchantId }) =>
    changing(db, async (change) => {
      await liftTimeouts(change.trx);
      const wallets = await findMerchantWallets(change.trx, { merchantName: merchant, crypto });
      if (wallets.length === 0) {
        throw new TerminalError('WALLET_NOT_CONFIGURED', `The merchant "${merchant}" has no wallet for ${crypto}`);
      }
      const done: { network: string; next_index: number }[] = [];
      for (const { network, derivationKeyId } of wallets) {
        const nextIndex = await advanceIndex(change.trx, derivationKeyId, by);
        done.push({ network, next_index: nextIndex });
        const details = { network, count: by, lastSkippedIndex: nextIndex - 1 };
        const entry = { merchantId, what: 'wallet.addresses_skipped', subjectId: derivationKeyId, details } as const;
        await writeAudit(change, entry);
      }
      return done;
    }),
  );
  printResult(json, { wallets: advanced }, () =>
    advanced
      .map(({ network, next_index }) => `${network}: addresses below index ${next_index} are never issued again`)
      .join('\n'),
  );
}
