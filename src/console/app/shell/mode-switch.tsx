import type { Mode } from '../../merchant/schemas.ts';
import { hasModes, hrefOf, type Match, type PageName } from '../routing/paths.ts';
import { chooseMode, navigate, useMode } from '../routing/router.ts';
import { Button } from '../ui/button.tsx';
import type { PlainPage } from './navigation.tsx';

/** Switches between live and test payments; the whole console marks test mode. */
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

/** Pages that exist in the other mode; a page of one object leads to its list. */
const IN_OTHER_MODE: Readonly<Partial<Record<PageName, PlainPage>>> = {
  needsAttention: 'needsAttention',
  payments: 'payments',
  payment: 'payments',
  links: 'links',
  schedules: 'schedules',
  schedule: 'schedules',
  statistics: 'statistics',
};
