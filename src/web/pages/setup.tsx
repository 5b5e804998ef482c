import { useState } from 'react';
import { useSetUp, useSetupInfo, useSetupLink } from '../api/entry.ts';
import { Link } from '../routing/link.tsx';
import { hrefOf } from '../routing/paths.ts';
import { navigate } from '../routing/router.ts';
import { EntryFrame } from '../shell/entry-frame.tsx';
import { TextField } from '../ui/forms/field.tsx';
import { Form } from '../ui/forms/form.tsx';
import { errorText } from '../ui/problem.tsx';
import { Loading } from '../ui/progress.tsx';
import { PASSWORD_HINT } from './account/labels.ts';
import { isUsedUp, UsedLink } from './account/link-messages.tsx';

/**
 * Target of the address that a service without logins prints at its start. Its token is in the
 * fragment after `#`, which browsers do not send to servers.
 */
export function SetupPage() {
  const info = useSetupInfo();
  return (
    <EntryFrame title="Set up Quittance">
      <h1>Set up Quittance</h1>
      {info.data?.isOpen === false ? <AlreadySetUp /> : <FirstLogin />}
    </EntryFrame>
  );
}

// Helpers

function FirstLogin() {
  const [token] = useState(() => location.hash.slice(1));
  const check = useSetupLink(token);
  const setUp = useSetUp();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const submit = () => {
    setUp.mutate(
      { token, email, password },
      { onSuccess: () => navigate(hrefOf('merchants', {}), { replaces: true }) },
    );
  };
  if (token === '') {
    return <p>This link is incomplete. Copy the whole setup URL from the log.</p>;
  }
  if (check.isLoading) return <Loading label="Checking the link" lines={3} />;
  if (isUsedUp(check.error) || isUsedUp(setUp.error)) {
    return (
      <UsedLink>
        <p>
          Copy the newest setup URL from the log of the service (<code>setupUrl</code>); each start of a service without
          users prints one.
        </p>
      </UsedLink>
    );
  }
  return (
    <>
      <p className="soft">Create the first operator. Then create your shop as a merchant.</p>
      <Form work={setUp} action="Create operator" problem={null} submit={submit}>
        <TextField
          label="Email"
          type="email"
          autoComplete="username"
          required
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
        <TextField
          label="Password"
          type="password"
          hint={PASSWORD_HINT}
          autoComplete="new-password"
          required
          value={password}
          error={errorText(setUp.error)}
          onChange={(event) => setPassword(event.target.value)}
        />
      </Form>
    </>
  );
}

function AlreadySetUp() {
  return (
    <>
      <p>This service already has users.</p>
      <p className="entry-foot">
        <Link href={hrefOf('signIn', {})}>Sign in</Link>
      </p>
    </>
  );
}
