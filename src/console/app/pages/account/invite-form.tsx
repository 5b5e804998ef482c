import { type FormEvent, useState } from 'react';
import type { NewUserBody } from '../../../contract/accounts.ts';
import type { Role, SignedIn } from '../../../contract/session.ts';
import { useInviteUser } from '../../api/account.ts';
import { toast } from '../../state/toasts.ts';
import { Button } from '../../ui/button.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { sayingOf } from '../../ui/problem.tsx';
import { ChooseMerchant } from './choose-merchant.tsx';
import { ROLE_MEANINGS, ROLE_WORDS } from './words.ts';

/** Invites somebody: an owner to their own shop, an operator to the service or to any merchant. */
export function InviteForm({ user, close }: { readonly user: SignedIn; close(): void }) {
  const invite = useInviteUser();
  const roles = user.merchant === null ? ROLES_OF_ALL : ROLES_OF_SHOP;
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>(roles[0]);
  const [merchantId, setMerchantId] = useState<string | null>(null);
  const needsMerchant = user.merchant === null && isOfShop(role);
  const body: NewUserBody = { email, role, ...(needsMerchant && merchantId !== null ? { merchantId } : {}) };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    invite.mutate(body, {
      onSuccess: () => {
        toast(`A link to choose a password is on its way to ${email}.`);
        close();
      },
    });
  };
  return (
    <form className="form" onSubmit={submit}>
      <TextField
        label="E-mail"
        type="email"
        autoComplete="off"
        required
        value={email}
        error={invite.error === null ? null : sayingOf(invite.error)}
        onChange={(event) => setEmail(event.target.value)}
      />
      <SelectField
        label="Role"
        value={role}
        hint={`${ROLE_WORDS[role]} ${ROLE_MEANINGS[role]}.`}
        onChange={(event) => setRole(roles.find((name) => name === event.target.value) ?? role)}
      >
        {roles.map((name) => (
          <option key={name} value={name}>
            {ROLE_WORDS[name]}
          </option>
        ))}
      </SelectField>
      {needsMerchant ? <ChooseMerchant chosen={merchantId} choose={setMerchantId} /> : null}
      <div className="button-row">
        <Button
          type="submit"
          look="main"
          isBusy={invite.isPending}
          disabled={needsMerchant && body.merchantId === undefined}
        >
          Send the invitation
        </Button>
        <Button onClick={close}>Cancel</Button>
      </div>
    </form>
  );
}

// Helpers

const ROLES_OF_SHOP = ['staff', 'owner'] as const;
const ROLES_OF_ALL = ['observer', 'operator', ...ROLES_OF_SHOP] as const;

function isOfShop(role: Role): boolean {
  return ROLES_OF_SHOP.some((name) => name === role);
}
