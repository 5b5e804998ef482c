import type { SignedIn } from '../../http/console/session/schemas.ts';
import { useNeedsAttentionCount } from '../api/attention.ts';
import { useHealth } from '../api/health.ts';
import { Link } from '../routing/link.tsx';
import { hrefOf, type Match } from '../routing/paths.ts';
import { navigate } from '../routing/router.ts';
import { useShortcut } from '../state/shortcuts.ts';
import { Badge } from '../ui/badge.tsx';
import { BrandSign } from './brand.tsx';
import { type NavigationEntry, navigationOf } from './navigation.tsx';

interface SideBarProps {
  readonly user: SignedIn;
  readonly match: Match | null;
}

export function SideBar({ user, match }: SideBarProps) {
  const seesService = user.role === 'operator' || user.role === 'observer';
  const health = useHealth(seesService);
  const needsAttention = useNeedsAttentionCount(!seesService);
  const counts = { deadLetters: health.data?.deadLetters.open ?? 0, needsAttention: needsAttention.data?.open ?? 0 };
  const groups = navigationOf(user.role);
  return (
    <>
      <Link className="brand" href={hrefOf('home', {})}>
        <BrandSign />
        Quittance
      </Link>
      <nav aria-label="Pages">
        {groups.map((group) => (
          <div key={group.title} className="navigation">
            {groups.length > 1 ? <p className="navigation-title">{group.title}</p> : null}
            {group.entries.map((entry) => (
              <Entry
                key={entry.page}
                entry={entry}
                isHere={match !== null && entry.pages.includes(match.page)}
                count={entry.count === undefined ? 0 : counts[entry.count]}
              />
            ))}
          </div>
        ))}
      </nav>
    </>
  );
}

// Helpers

interface EntryProps {
  readonly entry: NavigationEntry;
  readonly isHere: boolean;
  readonly count: number;
}

function Entry({ entry, isHere, count }: EntryProps) {
  useShortcut(`g ${entry.key}`, `Go to ${entry.label}`, () => navigate(hrefOf(entry.page, {})));
  return (
    <Link href={hrefOf(entry.page, {})} aria-current={isHere ? 'page' : undefined}>
      {entry.icon}
      {entry.label}
      {count === 0 ? null : (
        <span className="navigation-count">
          <Badge tone="bad">{count.toLocaleString('en')}</Badge>
        </span>
      )}
    </Link>
  );
}
