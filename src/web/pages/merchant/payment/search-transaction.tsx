import { useState } from 'react';
import type { PaymentInfo } from '../../../../http/console/merchant/payment/schemas.ts';
import { useSearchTransaction } from '../../../api/payments.ts';
import { TextField } from '../../../ui/forms/field.tsx';
import { Form } from '../../../ui/forms/form.tsx';

/**
 * Has the network searched for a transaction that the customer names and the page does not show.
 */
export function SearchTransaction({ payment }: { readonly payment: PaymentInfo }) {
  const [txid, setTxid] = useState('');
  const [height, setHeight] = useState('');
  const search = useSearchTransaction(payment.id);
  if (payment.networkKind === 'simulated') return null;
  const submit = () => search.mutate({ txid, ...(height === '' ? {} : { height: Number(height) }) });
  return (
    <details className="help">
      <summary>Missing a transaction?</summary>
      <Form work={search} action="Search" variant="plain" submit={submit}>
        <p>
          Enter its id to search {payment.chainName} again. Nothing changes unless the transaction pays the address of
          this payment.
        </p>
        <TextField
          label="Transaction id"
          required
          maxLength={100}
          autoComplete="off"
          spellCheck={false}
          hint="64 characters, as the customer’s wallet or an explorer shows it."
          value={txid}
          onChange={(event) => setTxid(event.target.value)}
        />
        {payment.network.startsWith('ethereum-') ? null : (
          <TextField
            label="Block height (optional)"
            inputMode="numeric"
            pattern="[0-9]{1,9}"
            maxLength={9}
            autoComplete="off"
            hint="From a block explorer. Some nodes cannot find a transaction without it."
            value={height}
            onChange={(event) => setHeight(event.target.value.trim())}
          />
        )}
        <div role="status">{search.isSuccess ? <Searched payment={payment} txid={search.variables.txid} /> : null}</div>
      </Form>
    </details>
  );
}

// Helpers

function Searched({ payment, txid }: { readonly payment: PaymentInfo; readonly txid: string }) {
  const searched = plain(txid);
  const all = [...payment.splits, ...payment.unassigned];
  if (all.some((each) => each.txid !== null && plain(each.txid) === searched)) {
    return <p className="notice notice-good">Found: see Received above.</p>;
  }
  return (
    <p className="notice notice-info">
      Searching {payment.chainName}. If the transaction pays this address, it appears above within a minute. Otherwise
      check that the transaction’s address and network match.
    </p>
  );
}

function plain(txid: string): string {
  return txid.trim().toLowerCase().replace(/^0x/, '');
}
