import { type ReactNode, useState } from 'react';
import type { PasswordLink } from '../../http/console/session/schemas.ts';
import { useConfirmSignUp, useMailInfo, usePasswordLink, useResetPassword } from '../api/entry.ts';
import { Link } from '../routing/link.tsx';
import { hrefOf } from '../routing/paths.ts';
import { navigate } from '../routing/router.ts';
import { EntryFrame } from '../shell/entry-frame.tsx';
import { rememberEmail } from '../state/sign-in-email.ts';
import { toast } from '../state/toasts.ts';
import { TextField } from '../ui/forms/field.tsx';
import { Form } from '../ui/forms/form.tsx';
import { errorText } from '../ui/problem.tsx';
import { Loading } from '../ui/progress.tsx';
import { PASSWORD_HINT, ROLE_WORDS } from './account/labels.ts';
import { isUsedUp, UsedLink } from './account/link-messages.tsx';

/**
 * Target of the confirmation link of a sign-up: only the owner of the mailbox can choose the
 * password.
 */
export function ConfirmSignUpPage() {
  return (
    <ChoosePassword
      token={useToken()}
      work={useConfirmSignUp()}
      title="Create your account"
      label="Password"
      action="Create the account"
      done="Your account is ready. Sign in."
      otherLink={<Link href={hrefOf('signUp', {})}>Start again</Link>}
    />
  );
}

/** Target of the links of an invitation and of a reset. */
export function ResetPasswordPage() {
  const token = useToken();
  const link = usePasswordLink(token);
  const sendsMails = useMailInfo().data?.sendsMails !== false;
  return (
    <ChoosePassword
      token={token}
      link={link.data ?? null}
      check={link}
      work={useResetPassword()}
      title="Choose a password"
      label="New password"
      action="Set the password"
      done="Password set. Sign in with it."
      otherLink={sendsMails ? <Link href={hrefOf('forgotten', {})}>Request another link</Link> : ASK_OPERATOR}
    />
  );
}

// Helpers

const ASK_OPERATOR = 'To get another link, ask the operator of this service.';

/** The token of the link is in the fragment after `#`, which browsers do not send to servers. */
function useToken(): string {
  return useState(() => location.hash.slice(1))[0];
}

interface ChoosePasswordProps {
  readonly token: string;
  /** Null until it is read, and for a link that does not work. */
  readonly link?: PasswordLink | null;
  /** The request that reads it; omitted for links that are only checked when they are used. */
  readonly check?: { readonly isLoading: boolean; readonly error: Error | null };
  readonly work: ReturnType<typeof useResetPassword>;
  readonly title: string;
  readonly label: string;
  readonly action: string;
  readonly done: string;
  readonly otherLink: ReactNode;
}

function ChoosePassword(props: ChoosePasswordProps) {
  const { token, link = null, check = UNCHECKED, work, title, label, action, done, otherLink } = props;
  const [password, setPassword] = useState('');
  const isUsed = isUsedUp(check.error) || isUsedUp(work.error);
  const submit = () =>
    work.mutate(
      { token, password },
      {
        onSuccess: () => {
          toast(done);
          if (link !== null) rememberEmail(link.email);
          navigate(hrefOf('signIn', {}), { replaces: true });
        },
      },
    );
  return (
    <EntryFrame title={title}>
      <h1>{title}</h1>
      {token === '' ? (
        <p>This link is incomplete. Open it from the email again, or copy all of it.</p>
      ) : check.isLoading ? (
        <Loading label="Checking the link" lines={3} />
      ) : isUsed ? (
        <UsedLink />
      ) : (
        <Form work={work} action={action} problem={null} submit={submit}>
          {link === null ? null : <Login link={link} />}
          <TextField
            label={label}
            type="password"
            hint={PASSWORD_HINT}
            autoComplete="new-password"
            required
            value={password}
            error={errorText(work.error)}
            onChange={(event) => setPassword(event.target.value)}
          />
        </Form>
      )}
      <p className="entry-foot">
        {otherLink}
        {isUsed ? <Link href={hrefOf('signIn', {})}>Back to sign-in</Link> : null}
      </p>
    </EntryFrame>
  );
}

const UNCHECKED = { isLoading: false, error: null } as const;

/** Whose password it is; password managers save it with the address. */
function Login({ link: { purpose, email, role, merchantName } }: { readonly link: PasswordLink }) {
  return (
    <>
      {purpose === 'invitation' ? (
        <p className="wrap">
          You were invited to <strong>{merchantName ?? 'this payment service'}</strong> as{' '}
          {ROLE_WORDS[role].toLowerCase()}.
        </p>
      ) : null}
      <TextField label="Email" type="email" autoComplete="username" readOnly value={email} />
    </>
  );
}
