import { type ComponentType, Suspense, useEffect, useRef } from 'react';
import type { SignedIn } from '../../http/console/session/schemas.ts';
import { useSignedIn } from '../api/account.ts';
import type { Match, PageName } from '../routing/paths.ts';
import { useMatch } from '../routing/router.ts';
import { useToasts } from '../state/toasts.ts';
import { lazyComponent } from '../ui/lazy-component.ts';
import { Problem } from '../ui/problem.tsx';
import { Loading } from '../ui/progress.tsx';
import { EntryFrame } from './entry-frame.tsx';
import { PageBoundary } from './page-boundary.tsx';
import { Pages } from './pages.tsx';
import { PasswordDialog } from './password-dialog.tsx';
import { SideBar } from './side-bar.tsx';
import { TopBar } from './top-bar.tsx';

/** Pages without a shell: a user who is signed in needs none of them. */
const OPEN_PAGES: Readonly<Partial<Record<PageName, ComponentType>>> = {
  setup: lazyComponent(() => import('../pages/setup.tsx'), 'SetupPage'),
  signIn: lazyComponent(() => import('../pages/sign-in.tsx'), 'SignInPage'),
  forgotten: lazyComponent(() => import('../pages/forgotten.tsx'), 'ForgottenPage'),
  resetPassword: lazyComponent(() => import('../pages/choose-password.tsx'), 'ResetPasswordPage'),
  signUp: lazyComponent(() => import('../pages/sign-up.tsx'), 'SignUpPage'),
  confirmSignUp: lazyComponent(() => import('../pages/choose-password.tsx'), 'ConfirmSignUpPage'),
};

/** The root component: pages that need no sign-in, and the shell with all others. */
export function App() {
  const match = useMatch();
  useFocusOnNewPage(match?.page ?? null);
  const OpenPage = match === null ? undefined : OPEN_PAGES[match.page];
  return (
    <>
      {OpenPage === undefined ? (
        <SignedInPart />
      ) : (
        <Suspense fallback={<OneMoment label="Loading the page" />}>
          <OpenPage />
        </Suspense>
      )}
      <PasswordDialog />
      <Toasts />
    </>
  );
}

// Helpers

function SignedInPart() {
  const signedIn = useSignedIn();
  const match = useMatch();
  if (signedIn.data !== undefined) return <Shell user={signedIn.data} match={match} />;
  if (signedIn.error !== null) {
    return (
      <EntryFrame title="Quittance">
        <Problem error={signedIn.error} retry={() => void signedIn.refetch()} />
      </EntryFrame>
    );
  }
  return <OneMoment label="Checking your session" />;
}

function OneMoment({ label }: { readonly label: string }) {
  return (
    <EntryFrame title="One moment">
      <Loading label={label} />
    </EntryFrame>
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

/** Menu, top bar and the current page. */
function Shell({ user, match }: { readonly user: SignedIn; readonly match: Match | null }) {
  return (
    <>
      <a className="skip button button-main" href="#main">
        Skip to content
      </a>
      {match?.mode === 'test' && user.merchant !== null ? (
        <p className="test-strip" role="status">
          Test mode: no real money
        </p>
      ) : null}
      <div className="shell">
        <TopBar user={user} match={match} />
        <aside className="side">
          <SideBar user={user} match={match} />
        </aside>
        <main id="main" className="main" tabIndex={-1}>
          <PageBoundary key={match === null ? 'none' : JSON.stringify([match.page, match.params])}>
            <Pages user={user} match={match} />
          </PageBoundary>
        </main>
      </div>
    </>
  );
}

/** Shows toasts in a live region, which screen readers announce without moving the focus. */
function Toasts() {
  const messages = useToasts();
  return (
    <div className="toasts" role="status" aria-live="polite">
      {messages.map((message) => (
        <p key={message.id} className={`toast toast-${message.tone}`}>
          {message.text}
        </p>
      ))}
    </div>
  );
}
