import { useState } from 'react';
import { DEMO_MERCHANT } from '../../../../platform/demo-merchant.ts';
import { useMerchants, useOpenMerchant } from '../../../api/merchants.ts';
import { hrefOf } from '../../../routing/paths.ts';
import { navigate } from '../../../routing/router.ts';
import { toast } from '../../../state/toasts.ts';
import { TextField } from '../../../ui/forms/field.tsx';
import { Form } from '../../../ui/forms/form.tsx';
import { errorText } from '../../../ui/problem.tsx';
import { Dialog } from '../../../ui/windows/dialog.tsx';
import { HandOver } from '../../account/hand-over.tsx';

/** Creates a merchant with its first owner, who gets a link to choose a password. */
export function NewMerchant({ close }: { close(): void }) {
  const opening = useOpenMerchant();
  const endsDemo = useIsDemoAlone();
  const [shop, setShop] = useState({ name: '', email: '' });
  const submit = () =>
    opening.mutate(shop, {
      onSuccess: ({ id, invitationUrl }) => {
        if (invitationUrl !== null) return;
        toast(`An email with a link to choose a password was sent to ${shop.email}.`);
        navigate(hrefOf('merchant', { id }));
      },
    });
  const url = opening.data?.invitationUrl ?? null;
  if (opening.data !== undefined && url !== null) {
    const { id } = opening.data;
    return (
      <HandOver email={shop.email} whose="the owner" url={url} close={() => navigate(hrefOf('merchant', { id }))} />
    );
  }
  return (
    <Dialog title="New merchant" isOpen close={close}>
      <Form work={opening} action="Create merchant" problem={null} submit={submit} close={close}>
        {endsDemo ? (
          <p>
            Creating your own merchant ends the demo: its start page closes. Its logins and test keys stay in{' '}
            <code>demo-keys.json</code>.
          </p>
        ) : null}
        <TextField
          label="Shop name"
          hint="Shown to customers on the payment page."
          autoComplete="off"
          required
          value={shop.name}
          onChange={(event) => setShop({ ...shop, name: event.target.value })}
        />
        <TextField
          label="Owner email"
          type="email"
          hint="An address that has no login here yet."
          autoComplete="off"
          required
          value={shop.email}
          error={errorText(opening.error)}
          onChange={(event) => setShop({ ...shop, email: event.target.value })}
        />
      </Form>
    </Dialog>
  );
}

// Helpers

/** Whether the demo's merchant is the only one, as it is while the demo is open. */
function useIsDemoAlone(): boolean {
  const all = useMerchants({ search: '' }).data?.pages.flatMap((page) => page.merchants) ?? [];
  const isAlone = all.length === 1 && all[0]?.name === DEMO_MERCHANT.name;
  const found = useMerchants({ search: DEMO_MERCHANT.email }, isAlone).data?.pages[0]?.merchants.length ?? 0;
  return isAlone && found === 1;
}
