import { type FormEvent, useState } from 'react';
import type { Overview, StartedPayment } from '../../../../http/console/merchant/overview/schemas.ts';
import { useStartTestPayment } from '../../../api/overview.ts';
import { Link } from '../../../routing/link.tsx';
import { hrefOf } from '../../../routing/paths.ts';
import { Button } from '../../../ui/button.tsx';
import { SelectField, TextField } from '../../../ui/forms/field.tsx';
import { errorText } from '../../../ui/problem.tsx';

/** Starts a test payment and links to its payment page; also to one that is still open. */
export function TestPayment({ overview }: { readonly overview: Overview }) {
  const { testPayments, cryptos } = overview;
  const open = overview.firstRun.openTestPayment;
  const start = useStartTestPayment();
  const [chosen, setCrypto] = useState<string>('LTC');
  const crypto = cryptos.includes(chosen) ? chosen : (cryptos[0] ?? '');
  const [amount, setAmount] = useState('25');
  const [currency, setCurrency] = useState<string>('EUR');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    start.mutate({ crypto, amount: amount.trim(), currency });
  };
  if (cryptos.length === 0) return <NoTestWallet />;
  return (
    <>
      {open === null ? null : <OpenPayment payment={open} testPayments={testPayments} />}
      <form className="test-payment" onSubmit={submit}>
        <TextField
          label="Price"
          inputMode="decimal"
          autoComplete="off"
          required
          maxLength={12}
          value={amount}
          error={errorText(start.error)}
          onChange={(event) => setAmount(event.target.value)}
        />
        <SelectField label="Currency" value={currency} onChange={(event) => setCurrency(event.target.value)}>
          {overview.currencies.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </SelectField>
        <SelectField label="Coin" value={crypto} onChange={(event) => setCrypto(event.target.value)}>
          {cryptos.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </SelectField>
        <Button type="submit" variant={open === null ? 'main' : 'plain'} isBusy={start.isPending}>
          {open === null ? 'Start a test payment' : 'Start another'}
        </Button>
      </form>
    </>
  );
}

// Helpers

const HOW_TO_PAY: Readonly<Record<Overview['testPayments'], string>> = {
  simulated: 'Open its page, press “Pay what is due” and then “Confirm” at the bottom, and come back',
  onchain: 'Open its page, send test coins to the address it shows, and come back once they are confirmed',
};

/** Test payments use test networks here, and no test wallet is set up. */
function NoTestWallet() {
  return (
    <div className="notice" role="status">
      <p>Test payments use test networks here and need a test wallet.</p>
      <div className="button-row">
        <Link className="button button-main" href={hrefOf('wallets', {}, { add: 'any' })}>
          Add a test wallet
        </Link>
      </div>
    </div>
  );
}

interface OpenPaymentProps {
  readonly payment: StartedPayment;
  readonly testPayments: Overview['testPayments'];
}

function OpenPayment({ payment: { id, paymentUrl }, testPayments }: OpenPaymentProps) {
  return (
    <div className="notice notice-info" role="status">
      <p>A test payment is open. {HOW_TO_PAY[testPayments]}: this step is then marked as done.</p>
      <div className="button-row">
        {isWebAddress(paymentUrl) ? (
          <a className="button button-main" href={paymentUrl} target="_blank" rel="noreferrer noopener">
            Open the payment page
          </a>
        ) : null}
        <Link className="button" href={hrefOf('payment', { id }, {}, 'test')}>
          View in the console
        </Link>
      </div>
    </div>
  );
}

function isWebAddress(url: string): boolean {
  return /^https?:\/\//i.test(url);
}
