import { useEffect, useRef } from 'react';
import { useSignedIn } from '../api/account.ts';
import { ConfirmSignUpPage } from '../pages/confirm-sign-up.tsx';
import { ForgottenPage } from '../pages/forgotten.tsx';
import { ResetPasswordPage } from '../pages/reset-password.tsx';
import { SetupPage } from '../pages/setup.tsx';
import { SignInPage } from '../pages/sign-in.tsx';
import { SignUpPage } from '../pages/sign-up.tsx';
import { useMatch } from '../routing/router.ts';
import { Problem } from '../ui/problem.tsx';
import { Loading } from '../ui/progress.tsx';
import { Toasts } from '../ui/toasts.tsx';
import { Door } from './door.tsx';
import { PasswordDialog } from './password-dialog.tsx';
import { Shell } from './shell.tsx';

/** The root component: pages that need no sign-in, and the shell with all others. */
export function App() {
  const match = useMatch();
  useFocusOnNewPage(match?.page ?? null);
  return (
    <>
      {match?.page === 'setup' ? <SetupPage /> : null}
      {match?.page === 'signIn' ? <SignInPage /> : null}
      {match?.page === 'forgotten' ? <ForgottenPage /> : null}
      {match?.page === 'resetPassword' ? <ResetPasswordPage /> : null}
      {match?.page === 'signUp' ? <SignUpPage /> : null}
      {match?.page === 'confirmSignUp' ? <ConfirmSignUpPage /> : null}
      {match === null || !OPEN_PAGES.has(match.page) ? <SignedInPart /> : null}
      <PasswordDialog />
      <Toasts />
    </>
  );
}

// Helpers

const OPEN_PAGES: ReadonlySet<string> = new Set([
  'setup',
  'signIn',
  'forgotten',
  'resetPassword',
  'signUp',
  'confirmSignUp',
]);

function SignedInPart() {
  const signedIn = useSignedIn();
  const match = useMatch();
  if (signedIn.data !== undefined) return <Shell user={signedIn.data} match={match} />;
  if (signedIn.error !== null) {
    return (
      <Door title="Quittance">
        <Problem error={signedIn.error} retry={() => void signedIn.refetch()} />
      </Door>
    );
  }
  return (
    <Door title="One moment">
      <Loading label="Looking who is signed in" />
    </Door>
  );
}

/** After a page change, moves the focus to the new page, so that screen readers continue there. */
function useFocusOnNewPage(page: string | null): void {
  const before = useRef(page);
  useEffect(() => {
    if (before.current === page) return;
    before.current = page;
    if (document.activeElement instanceof HTMLInputElement) return;
    document.querySelector<HTMLElement>('main')?.focus({ preventScroll: true });
  }, [page]);
}
