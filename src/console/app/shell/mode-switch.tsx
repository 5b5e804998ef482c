import type { Mode } from '../../contract/desk.ts';
import { hasModes, hrefOf, type Match, type PageName } from '../routing/paths.ts';
import { chooseMode, navigate, useMode } from '../routing/router.ts';
import { Button } from '../ui/button.tsx';
import type { PlainPage } from './navigation.tsx';

/** Whether pages show live or test payments; the whole console says so while it is the latter. */
export function ModeSwitch({ match }: { readonly match: Match | null }) {
  const mode = useMode();
  const other: Mode = mode === 'live' ? 'test' : 'live';
  const change = () => {
    if (match === null || !hasModes(match.page)) return chooseMode(other);
    navigate(hrefOf(IN_OTHER_MODE[match.page] ?? 'overview', {}, {}, other));
  };
  return (
    <Button look="quiet" className="mode" aria-pressed={mode === 'test'} onClick={change}>
      Test mode
    </Button>
  );
}

// Helpers

/** Pages with something to see in the other mode; what has an id of one mode is seen in its list. */
const IN_OTHER_MODE: Readonly<Partial<Record<PageName, PlainPage>>> = {
  needsAttention: 'needsAttention',
  payments: 'payments',
  payment: 'payments',
  links: 'links',
  schedules: 'schedules',
  schedule: 'schedules',
  statistics: 'statistics',
};
