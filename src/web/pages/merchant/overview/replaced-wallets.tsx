import type { ReplacedWallet } from '../../../../http/console/merchant/overview/schemas.ts';
import { Link } from '../../../routing/link.tsx';
import { hrefOf } from '../../../routing/paths.ts';
import { WarnIcon } from '../../../ui/icons.tsx';
import { FullMoment } from '../../../ui/moment.tsx';

/** Recently replaced wallets. Every user of the merchant sees them, so that a theft is noticed. */
export function ReplacedWallets({ replaced }: { readonly replaced: readonly ReplacedWallet[] }) {
  return replaced.map(({ at, network, cryptos, by }) => (
    <div key={`${at}${network}${cryptos.join()}`} className="problem" role="status">
      <WarnIcon />
      <p>
        The wallet for {cryptos.join(', ')} ({network}) was replaced on <FullMoment at={at} />
        {by === null ? '' : ` by ${by}`}. New payments go to the new wallet. If none of you did this,{' '}
        <Link href={hrefOf('wallets', {})}>check your wallets</Link> now.
      </p>
    </div>
  ));
}
