import type { SignedIn } from '../../http/console/session/schemas.ts';
import type { Match } from '../routing/paths.ts';
import { PageBoundary } from './page-boundary.tsx';
import { Pages } from './pages.tsx';
import { SideBar } from './side-bar.tsx';
import { TopBar } from './top-bar.tsx';

/** Menu, top bar and the current page. */
export function Shell({ user, match }: { readonly user: SignedIn; readonly match: Match | null }) {
  return (
    <div className="shell">
      <a className="skip button button-main" href="#main">
        To the page
      </a>
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
  );
}
