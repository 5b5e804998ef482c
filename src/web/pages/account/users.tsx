import { useState } from 'react';
import type { ListedUser, SignedIn } from '../../../http/console/session/schemas.ts';
import { useManageUser, useResendInvitation, useUsers } from '../../api/account.ts';
import { useMailInfo } from '../../api/entry.ts';
import { Page } from '../../shell/page.tsx';
import { toast } from '../../state/toasts.ts';
import { Await } from '../../ui/await.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { type Column, Table } from '../../ui/lists/table.tsx';
import { toastError } from '../../ui/problem.tsx';
import { Timestamp } from '../../ui/values/timestamp.tsx';
import { HandOver } from './hand-over.tsx';
import { InviteUser } from './invite-user.tsx';
import { ROLE_WORDS } from './labels.ts';

/** Users who can sign in, for those who manage them. */
export function UsersPage({ user }: { readonly user: SignedIn }) {
  const users = useUsers();
  const mail = useMailInfo();
  const mayManage = user.role === 'owner' || user.role === 'operator';
  // Without a mail server, only operators can pass a link on.
  const mayResend = mayManage && (user.merchant === null || mail.data?.sendsMails !== false);
  const [isInviting, setIsInviting] = useState(false);
  return (
    <Page
      title="Users"
      actions={
        mayManage ? (
          <Button variant="main" onClick={() => setIsInviting(true)}>
            Invite a user
          </Button>
        ) : undefined
      }
    >
      <Await query={users} label="Loading users" lines={6}>
        {(rows) => (
          <Card className="card-flush table-card">
            <Table
              label="Users"
              rows={rows}
              keyOf={({ id }) => id}
              columns={columnsFor(user, { mayManage, mayResend })}
              asCards
            />
          </Card>
        )}
      </Await>
      <InviteUser user={user} isOpen={isInviting} close={() => setIsInviting(false)} />
    </Page>
  );
}

// Helpers

function columnsFor(
  viewer: SignedIn,
  { mayManage, mayResend }: { mayManage: boolean; mayResend: boolean },
): readonly Column<ListedUser>[] {
  const account: Column<ListedUser> = {
    id: 'account',
    title: 'Account',
    cell: ({ merchant }) => merchant?.name ?? <span className="soft">the service</span>,
    isSecondary: true,
  };
  const access: Column<ListedUser> = {
    id: 'access',
    title: 'Access',
    isNumber: true,
    cell: (row) => {
      if (row.id === viewer.userId) return <span className="soft">you</span>;
      return isOfSameMerchant(viewer, row) ? <AccessButton row={row} /> : null;
    },
  };
  return [
    { id: 'email', title: 'Email', cell: ({ email }) => email },
    ...(viewer.merchant === null ? [account] : []),
    { id: 'role', title: 'Role', cell: ({ role }) => ROLE_WORDS[role] },
    {
      id: 'security',
      title: 'Security',
      cell: (row) => <Security row={row} mayResend={mayResend && isOfSameMerchant(viewer, row)} />,
    },
    { id: 'since', title: 'Since', cell: ({ createdAt }) => <Timestamp at={createdAt} />, isSecondary: true },
    ...(mayManage ? [access] : []),
  ];
}

/** Operators see the users of merchants, but manage only those of the service. */
function isOfSameMerchant(viewer: SignedIn, row: ListedUser): boolean {
  return (viewer.merchant?.id ?? null) === (row.merchant?.id ?? null);
}

function Security({ row, mayResend }: { readonly row: ListedUser; readonly mayResend: boolean }) {
  if (row.isDisabled) return <Badge tone="bad">disabled</Badge>;
  if (row.isInvited) {
    return (
      <>
        <Badge tone="warn">invited</Badge> {mayResend ? <ResendInvitation user={row} /> : null}
      </>
    );
  }
  return row.hasTotp ? <Badge tone="good">two-factor</Badge> : <Badge>no second factor</Badge>;
}

function AccessButton({ row }: { readonly row: ListedUser }) {
  const manage = useManageUser();
  return (
    <Button
      variant="quiet"
      isBusy={manage.isPending}
      aria-label={row.isDisabled ? `Enable ${row.email}` : `Disable ${row.email}`}
      onClick={() =>
        manage.mutate(
          { id: row.id, isDisabled: !row.isDisabled },
          {
            onSuccess: () => toast(row.isDisabled ? `${row.email} can sign in again.` : `${row.email} is signed out.`),
            onError: toastError,
          },
        )
      }
    >
      {row.isDisabled ? 'Enable' : 'Disable'}
    </Button>
  );
}

/** Sends a user who has not chosen a password yet a new link, which replaces the earlier one. */
function ResendInvitation({ user: { id, email } }: { readonly user: ListedUser }) {
  const resend = useResendInvitation();
  const url = resend.data?.invitationUrl ?? null;
  const submit = () =>
    resend.mutate(id, {
      onSuccess: ({ invitationUrl }) => {
        if (invitationUrl === null) toast(`A new link to choose a password is on its way to ${email}.`);
      },
      onError: toastError,
    });
  return (
    <>
      <Button variant="quiet" isBusy={resend.isPending} aria-label={`Resend invitation of ${email}`} onClick={submit}>
        Resend invitation
      </Button>
      {url === null ? null : <HandOver email={email} whose="their login" url={url} close={() => resend.reset()} />}
    </>
  );
}
