import { Suspense, useEffect, useRef } from 'react';
import { useSignedIn } from '../api/account.ts';
import { SignInPage } from '../pages/sign-in.tsx';
import { useMatch } from '../routing/router.ts';
import { lazyComponent } from '../ui/lazy-component.ts';
import { Problem } from '../ui/problem.tsx';
import { Loading } from '../ui/progress.tsx';
import { Toasts } from '../ui/toasts.tsx';
import { Door } from './door.tsx';
import { PasswordDialog } from './password-dialog.tsx';
import { Shell } from './shell.tsx';

// Most visits need none of these. Signing in does not wait for another file.
const SetupPage = lazyComponent(() => import('../pages/setup.tsx').then(({ SetupPage: page }) => page));
const ForgottenPage = lazyComponent(() => import('../pages/forgotten.tsx').then(({ ForgottenPage: page }) => page));
const ResetPasswordPage = lazyComponent(() =>
  import('../pages/choose-password.tsx').then(({ ResetPasswordPage: page }) => page),
);
const SignUpPage = lazyComponent(() => import('../pages/sign-up.tsx').then(({ SignUpPage: page }) => page));
const ConfirmSignUpPage = lazyComponent(() =>
  import('../pages/choose-password.tsx').then(({ ConfirmSignUpPage: page }) => page),
);

/** The root component: pages that need no sign-in, and the shell with all others. */
export function App() {
  const match = useMatch();
  useFocusOnNewPage(match?.page ?? null);
  return (
    <>
      <Suspense fallback={<OneMoment label="Loading the page" />}>
        {match?.page === 'setup' ? <SetupPage /> : null}
        {match?.page === 'signIn' ? <SignInPage /> : null}
        {match?.page === 'forgotten' ? <ForgottenPage /> : null}
        {match?.page === 'resetPassword' ? <ResetPasswordPage /> : null}
        {match?.page === 'signUp' ? <SignUpPage /> : null}
        {match?.page === 'confirmSignUp' ? <ConfirmSignUpPage /> : null}
      </Suspense>
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
  return <OneMoment label="Checking who is signed in" />;
}

function OneMoment({ label }: { readonly label: string }) {
  return (
    <Door title="One moment">
      <Loading label={label} />
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
