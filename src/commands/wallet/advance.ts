import type { CryptoSymbol } from '../../../machines/index.ts';
import { loadConfig } from '../../config/index.ts';
import { TerminalError } from '../../errors.ts';
import { findMerchantWallets } from '../../merchants/index.ts';
import { advanceIndex } from '../../wallets/index.ts';
import { printResult } from '../print.ts';
import { withDatabase } from '../with-database.ts';

interface Wanted {
  readonly merchant: string;
  readonly crypto: CryptoSymbol;
  readonly by: number;
  readonly json: boolean;
}

/** `quittance wallet advance`: makes sure that no address of a restored wallet is handed out twice. */
export async function advance({ merchant, crypto, by, json }: Wanted): Promise<void> {
  const advanced = await withDatabase(loadConfig(process.env), async (db) => {
    const wallets = await findMerchantWallets(db, { merchantName: merchant, crypto });
    if (wallets.length === 0) {
      throw new TerminalError(
        'WALLET_NOT_CONFIGURED',
        `There is no merchant "${merchant}" with a wallet for ${crypto}`,
      );
    }
    const done: { network: string; next_index: number }[] = [];
    for (const { network, derivationKeyId } of wallets) {
      done.push({ network, next_index: await advanceIndex(db, derivationKeyId, by) });
    }
    return done;
  });
  printResult(json, { wallets: advanced }, () =>
    advanced
      .map(
        ({ network, next_index }) => `${network}: addresses below index ${next_index} will not be handed out any more`,
      )
      .join('\n'),
  );
}
