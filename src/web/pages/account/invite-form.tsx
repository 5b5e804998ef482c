import { useState } from 'react';
import type { SignedIn, UserRole } from '../../../http/console/session/schemas.ts';
import { useInviteUser } from '../../api/account.ts';
import { toastAndClose } from '../../state/toasts.ts';
import { SelectField, TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { errorText } from '../../ui/problem.tsx';
import { ROLE_MEANINGS, ROLE_WORDS } from './labels.ts';

/** Invites a user: an owner to their own merchant, an operator to the service. */
export function InviteForm({ user, close }: { readonly user: SignedIn; close(): void }) {
  const invite = useInviteUser();
  const roles = user.merchant === null ? ROLES_OF_SERVICE : ROLES_OF_SHOP;
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<UserRole>(roles[0]);
  const submit = () =>
    invite.mutate(
      { email, role },
      toastAndClose(`An email with a link to choose a password was sent to ${email}.`, close),
    );
  return (
    <Form work={invite} action="Send invitation" problem={null} submit={submit} close={close}>
      <TextField
        label="Email"
        type="email"
        autoComplete="off"
        required
        value={email}
        error={errorText(invite.error)}
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
    </Form>
  );
}

// Helpers

const ROLES_OF_SHOP = ['staff', 'owner'] as const;
const ROLES_OF_SERVICE = ['observer', 'operator'] as const;
