import { type FormEvent, useState } from 'react';
import type { Role, SignedIn, UserInfo } from '../../../contract.ts';
import { useInviteUser, useManageUser, useUsers } from '../../api/account.ts';
import { Page } from '../../shell/page.tsx';
import { toast } from '../../state/toasts.ts';
import { Await } from '../../ui/await.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { Moment } from '../../ui/moment.tsx';
import { sayingOf } from '../../ui/problem.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { ROLE_MEANINGS, ROLE_WORDS } from './words.ts';

/** Who can sign in, for those who manage them. */
export function UsersPage({ user }: { readonly user: SignedIn }) {
  const users = useUsers();
  const mayManage = user.role === 'owner' || user.role === 'operator';
  const [isInviting, setIsInviting] = useState(false);
  return (
    <Page
      title="Users"
      actions={
        mayManage ? (
          <Button look="main" onClick={() => setIsInviting(true)}>
            Invite somebody
          </Button>
        ) : undefined
      }
    >
      <Await query={users} label="Fetching users" lines={6}>
        {(rows) => (
          <Card className="card-flush table-card">
            <Table label="Users" rows={rows} keyOf={({ id }) => id} columns={columnsFor(user, mayManage)} />
          </Card>
        )}
      </Await>
      <Dialog title="Invite somebody" isOpen={isInviting} close={() => setIsInviting(false)}>
        <InviteForm user={user} close={() => setIsInviting(false)} />
      </Dialog>
    </Page>
  );
}

// Helpers

function columnsFor(viewer: SignedIn, mayManage: boolean): readonly Column<UserInfo>[] {
  const account: Column<UserInfo> = {
    id: 'account',
    title: 'Account',
    cell: ({ merchant }) => merchant?.name ?? <span className="soft">the service</span>,
    isSecondary: true,
  };
  const access: Column<UserInfo> = {
    id: 'access',
    title: 'Access',
    isNumber: true,
    cell: (row) => (row.id === viewer.userId ? <span className="soft">you</span> : <AccessButton row={row} />),
  };
  return [
    { id: 'email', title: 'E-mail', cell: ({ email }) => email },
    ...(viewer.merchant === null ? [account] : []),
    { id: 'role', title: 'Role', cell: ({ role }) => ROLE_WORDS[role] },
    { id: 'condition', title: 'Condition', cell: (row) => <Condition row={row} /> },
    { id: 'since', title: 'Since', cell: ({ createdAt }) => <Moment at={createdAt} />, isSecondary: true },
    ...(mayManage ? [access] : []),
  ];
}

function Condition({ row }: { readonly row: UserInfo }) {
  if (row.isDisabled) return <Badge tone="bad">disabled</Badge>;
  if (row.isInvited) return <Badge tone="warn">invited</Badge>;
  return row.hasTotp ? <Badge tone="good">two factors</Badge> : <Badge>password alone</Badge>;
}

function AccessButton({ row }: { readonly row: UserInfo }) {
  const manage = useManageUser();
  return (
    <Button
      look={row.isDisabled ? 'plain' : 'danger'}
      isBusy={manage.isPending}
      aria-label={row.isDisabled ? `Let ${row.email} in again` : `Disable ${row.email}`}
      onClick={() =>
        manage.mutate(
          { id: row.id, isDisabled: !row.isDisabled },
          {
            onSuccess: () => toast(row.isDisabled ? `${row.email} may sign in again.` : `${row.email} is signed out.`),
            onError: (error) => toast(sayingOf(error), 'bad'),
          },
        )
      }
    >
      {row.isDisabled ? 'Let in again' : 'Disable'}
    </Button>
  );
}

function InviteForm({ user, close }: { readonly user: SignedIn; close(): void }) {
  const invite = useInviteUser();
  const roles: readonly Role[] = user.merchant === null ? ['observer', 'operator'] : ['staff', 'owner'];
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>(roles[0] ?? 'staff');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    invite.mutate(
      { email, role },
      {
        onSuccess: () => {
          toast(`A link to choose a password is on its way to ${email}.`);
          close();
        },
      },
    );
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
      <div className="button-row">
        <Button type="submit" look="main" isBusy={invite.isPending}>
          Send the invitation
        </Button>
        <Button onClick={close}>Cancel</Button>
      </div>
    </form>
  );
}
