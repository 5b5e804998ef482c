import { useEffect, useRef, useState } from 'react';
import { useSetupInfo, useSignIn, useSignUpInfo } from '../api/entry.ts';
import { RequestFailure } from '../api/request.ts';
import { Link } from '../routing/link.tsx';
import { BASE, hrefOf } from '../routing/paths.ts';
import { navigate, useSearchParams } from '../routing/router.ts';
import { EntryFrame } from '../shell/entry-frame.tsx';
import { rememberEmail, rememberedEmail } from '../state/sign-in-email.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/forms/field.tsx';
import { Form } from '../ui/forms/form.tsx';
import { errorText } from '../ui/problem.tsx';

/** Email and password, then the code of the authenticator app for users who have one. */
export function SignInPage() {
  const from = useSearchParams().get('from');
  const signIn = useSignIn();
  const signUp = useSignUpInfo();
  const isEmpty = useSetupInfo().data?.isOpen === true;
  const [email, setEmail] = useState(rememberedEmail);
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [needsCode, setNeedsCode] = useState(false);
  const emailField = useRef<HTMLInputElement>(null);
  const passwordField = useRef<HTMLInputElement>(null);
  useEffect(() => focusUnlessFilled((rememberedEmail() === '' ? emailField : passwordField).current), []);

  const submit = () => {
    signIn.mutate(needsCode ? { email, password, code: code.trim() } : { email, password }, {
      onSuccess: () => {
        rememberEmail('');
        navigate(wayBack(from), { replaces: true });
      },
      onError: (error) => {
        if (codeOf(error) === 'CODE_REQUIRED') setNeedsCode(true);
        else if (codeOf(error) === 'WRONG_CREDENTIALS') setNeedsCode(false);
        setCode('');
      },
    });
  };
  const failure = codeOf(signIn.error) === 'CODE_REQUIRED' ? null : errorText(signIn.error);

  return (
    <EntryFrame title="Sign in">
      <h1>{needsCode ? 'Your second factor' : 'Sign in'}</h1>
      {isEmpty ? <NotSetUp /> : null}
      <Form work={signIn} action={needsCode ? 'Continue' : 'Sign in'} problem={null} submit={submit}>
        {needsCode ? (
          <TextField
            key="code"
            label="Code"
            hint="Six digits from your authenticator app, or one of your recovery codes."
            autoComplete="one-time-code"
            inputMode="text"
            autoCapitalize="none"
            // The user has just requested this step, and it has no other field.
            autoFocus
            required
            value={code}
            error={failure}
            onChange={(event) => setCode(event.target.value)}
          />
        ) : (
          <>
            <TextField
              ref={emailField}
              label="Email"
              type="email"
              autoComplete="username"
              required
              value={email}
              onChange={(event) => setEmail(event.target.value)}
            />
            <TextField
              ref={passwordField}
              label="Password"
              type="password"
              autoComplete="current-password"
              required
              value={password}
              error={failure}
              onChange={(event) => setPassword(event.target.value)}
            />
          </>
        )}
      </Form>
      <p className="entry-foot">
        {needsCode ? (
          <Button variant="quiet" onClick={() => setNeedsCode(false)}>
            Use another login
          </Button>
        ) : (
          <>
            <Link href={hrefOf('forgotten', {})}>Forgot your password?</Link>
            {signUp.data?.isOpen === true ? <Link href={hrefOf('signUp', {})}>Create an account</Link> : null}
          </>
        )}
      </p>
    </EntryFrame>
  );
}

// Helpers

/** Without the token: only the log of the service has it. */
function NotSetUp() {
  return (
    <p className="notice notice-info">
      <span>
        This service has no users yet. Copy the setup URL from its log (<code>setupUrl</code>) to create the first
        operator.
      </span>
    </p>
  );
}

function codeOf(error: unknown): string | null {
  return error instanceof RequestFailure ? error.code : null;
}

/** Leaves the focus alone where the browser's password manager has entered an address. */
function focusUnlessFilled(field: HTMLInputElement | null): void {
  if (field !== null && field.value === '' && !field.matches(':autofill')) field.focus();
}

/** Only to pages of the console: the parameter must not redirect to another site. */
function wayBack(from: string | null): string {
  const home = hrefOf('home', {});
  if (from === null) return home;
  const url = new URL(from, location.href);
  return url.origin === location.origin && url.pathname.startsWith(`${BASE}/`) ? `${url.pathname}${url.search}` : home;
}
