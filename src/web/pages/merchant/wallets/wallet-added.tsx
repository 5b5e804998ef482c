import type { Mode } from '../../../../http/console/merchant/schemas.ts';
import type { AttachedWallets } from '../../../../http/console/merchant/wallets/schemas.ts';
import { Link } from '../../../routing/link.tsx';
import { hrefOf } from '../../../routing/paths.ts';
import { Button } from '../../../ui/button.tsx';
import type { ChosenCoins } from './choose-coins.tsx';
import { StepHeading } from './stepper.tsx';

interface WalletAddedProps {
  readonly coins: ChosenCoins;
  readonly attached: AttachedWallets;
  restart(): void;
  close(): void;
}

/** The last step: what happens now, and what comes next. */
export function WalletAdded({ coins, attached, restart, close }: WalletAddedProps) {
  const chosen = coins.chain.coins.filter(({ symbol }) => coins.cryptos.includes(symbol));
  const problem = chosen.find((coin) => coin.problem !== null)?.problem ?? null;
  const isNew = attached.attached.length + attached.replaced.length > 0;
  return (
    <div className="form">
      <StepHeading>
        {isNew
          ? `Your ${coins.chain.name} ${coins.chain.mode === 'test' ? 'test wallet' : 'wallet'} is set up`
          : 'This wallet is already set up'}
      </StepHeading>
      <p>
        {isNew
          ? `${PAYMENTS[coins.chain.mode]} in ${coins.cryptos.join(', ')} go to it from now on, each to its own address. The coins arrive directly in your wallet; no third party holds them.`
          : 'Nothing has changed. Payments continue as before.'}
      </p>
      {problem === null ? null : (
        <div className="notice">
          <p>{problem} The wallet is used as soon as that changes.</p>
        </div>
      )}
      <p>
        A wallet scans only a limited number of unused addresses ahead. If many customers start a payment and do not
        pay, raise the gap limit in your wallet; this page tells you when.
      </p>
      <div className="button-row">
        <Link className="button button-main" href={hrefOf('overview', {}, {}, 'live')}>
          Next: back to the first steps
        </Link>
        <Button onClick={restart}>Add another wallet</Button>
        <Button onClick={close}>View your wallets</Button>
      </div>
    </div>
  );
}

// Helpers

const PAYMENTS: Readonly<Record<Mode, string>> = { live: 'Live payments', test: 'Test payments' };
