import { useState } from 'react';
import type { SignedIn, UserRole } from '../../../http/console/session/schemas.ts';
import { useInviteUser } from '../../api/account.ts';
import { useMailInfo } from '../../api/entry.ts';
import { toast } from '../../state/toasts.ts';
import { SelectField, TextField } from '../../ui/forms/field.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { errorText } from '../../ui/problem.tsx';
import { Dialog } from '../../ui/windows/dialog.tsx';
import { HandOver } from './hand-over.tsx';
import { ROLE_MEANINGS, ROLE_WORDS } from './labels.ts';
import { NoEmails } from './link-messages.tsx';

interface InviteProps {
  readonly user: SignedIn;
  readonly isOpen: boolean;
  close(): void;
}

/** Invites a user: an owner to their own merchant, an operator to the service. */
export function InviteUser({ user, isOpen, close }: InviteProps) {
  const [shared, setShared] = useState<SharedLink | null>(null);
  if (shared !== null) return <HandOver {...shared} whose="their login" close={() => setShared(null)} />;
  return (
    <Dialog title="Invite a user" isOpen={isOpen} close={close}>
      <InviteForm
        user={user}
        share={(link) => {
          setShared(link);
          close();
        }}
        close={close}
      />
    </Dialog>
  );
}

// Helpers

interface SharedLink {
  readonly email: string;
  readonly url: string;
}

interface InviteFormProps {
  readonly user: SignedIn;
  /** Receives the link where the service sends no emails. */
  share(link: SharedLink): void;
  close(): void;
}

function InviteForm({ user, share, close }: InviteFormProps) {
  const invite = useInviteUser();
  const roles = user.merchant === null ? ROLES_OF_SERVICE : ROLES_OF_SHOP;
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<UserRole>(roles[0]);
  const mail = useMailInfo();
  const canInvite = user.merchant === null || mail.data?.sendsMails !== false;
  const submit = () =>
    invite.mutate(
      { email, role },
      {
        onSuccess: ({ invitationUrl: url }) => {
          if (url !== null) return share({ email, url });
          toast(`A link to choose a password is on its way to ${email}.`);
          close();
        },
      },
    );
  if (!canInvite)
    return (
      <NoEmails>
        Invitations need a mail server. Ask the operator of this service to create the user with{' '}
        <code>quittance user create --email EMAIL --role staff --merchant NAME</code>, and pass on the first password
        that it shows.
      </NoEmails>
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

const ROLES_OF_SHOP = ['staff', 'owner'] as const;
const ROLES_OF_SERVICE = ['observer', 'operator'] as const;
