import type { ReactNode } from 'react';
import type { CoinAndFiatAmount, PaymentInfo } from '../../../../http/console/merchant/payment/schemas.ts';
import { Card } from '../../../ui/card.tsx';
import { Copy } from '../../../ui/copy.tsx';
import { Amount } from '../../../ui/values/amount.tsx';
import { hasUnconfirmed } from './status-explanation.ts';

/** The amount due, the amount received, and the deposit address. */
export function Money({ payment }: { readonly payment: PaymentInfo }) {
  const { due, paid, remaining, excess, isExcessSettled, depositAddress, cryptoName, networkKind, chainName } = payment;
  const hasExcess = excess.crypto !== '0';
  return (
    <Card title="Amounts">
      <dl className="amounts">
        <Sum name="Due" worth={due} payment={payment} />
        <Sum name={paidName(payment)} worth={paid} payment={payment} />
        {hasExcess ? (
          <Sum name={isExcessSettled ? 'Excess (settled)' : 'Excess'} worth={excess} payment={payment} />
        ) : (
          <Sum name="Remaining" worth={remaining} payment={payment} />
        )}
      </dl>
      <p className="address-line">
        <span className="soft">
          Payable in {cryptoName}
          {cryptoName === chainName ? '' : ` on ${chainName}`}
          {NETWORK_NOTES[networkKind]} to
        </span>
        <span className="address">
          <code className="wrap">{depositAddress}</code>
          <Copy text={depositAddress} label="the payment address" />
        </span>
      </p>
    </Card>
  );
}

// Helpers

/** Coins of an unpaid order that its sender can still take back are not called paid. */
function paidName({ status, splits }: PaymentInfo): string {
  if (status !== 'failed' && status !== 'expired') return 'Paid';
  return hasUnconfirmed(splits) ? 'Received, not confirmed' : 'Received';
}

const NETWORK_NOTES: Readonly<Record<PaymentInfo['networkKind'], string>> = {
  mainnet: '',
  testnet: ' (test network)',
  regtest: ' (local network)',
  simulated: ' (simulated: never send real coins)',
};

interface SumProps {
  readonly name: ReactNode;
  readonly worth: CoinAndFiatAmount;
  readonly payment: PaymentInfo;
}

function Sum({ name, worth, payment: { crypto, currencyFiat } }: SumProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <Amount className="amount-main" value={worth.fiat} currency={currencyFiat} />
        <Amount className="soft" value={worth.crypto} currency={crypto} />
      </dd>
    </div>
  );
}
