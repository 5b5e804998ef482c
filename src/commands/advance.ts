import { ASSETS, isCryptoSymbol } from '../../machines/index.ts';
import { loadConfig } from '../config/index.ts';
import { TerminalError } from '../errors.ts';
import { findMerchantWallets } from '../merchants/index.ts';
import { advanceIndex } from '../wallets/index.ts';
import { withDatabase } from './with-database.ts';

/** `quittance wallet advance`: makes sure that no address of a restored wallet is handed out twice. */
export async function advance({
  merchant,
  crypto,
  by,
}: {
  merchant: string;
  crypto: string;
  by: number;
}): Promise<void> {
  if (!isCryptoSymbol(crypto)) {
    throw new TerminalError('USAGE', `--crypto must be one of ${Object.keys(ASSETS).join(', ')}`);
  }
  await withDatabase(loadConfig(process.env), async (db) => {
    const wallets = await findMerchantWallets(db, { merchantName: merchant, crypto });
    if (wallets.length === 0) {
      throw new TerminalError(
        'WALLET_NOT_CONFIGURED',
        `There is no merchant "${merchant}" with a wallet for ${crypto}`,
      );
    }
    for (const { network, derivationKeyId } of wallets) {
      const next = await advanceIndex(db, derivationKeyId, by);
      process.stdout.write(`${network}: addresses below index ${next} will not be handed out any more\n`);
    }
  });
}
