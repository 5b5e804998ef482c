import type { Mode } from '../../http/console/merchant/schemas.ts';
import { hasModes, hrefOf, type Match, type PageName } from '../routing/paths.ts';
import { chooseMode, navigate, useMode } from '../routing/router.ts';
import type { PlainPage } from './navigation.tsx';

/** Chooses between live and test payments; always visible, and coloured by the mode. */
export function ModeSwitch({ match }: { readonly match: Match | null }) {
  const mode = useMode();
  const choose = (next: Mode) => {
    if (next === mode) return;
    if (match === null || !hasModes(match.page)) return chooseMode(next);
    navigate(hrefOf(IN_OTHER_MODE[match.page] ?? 'overview', {}, {}, next));
  };
  return (
    <div className={`modes modes-${mode}`} role="group" aria-label="Live or test">
      {MODES.map((each) => (
        <button key={each} type="button" aria-pressed={each === mode} onClick={() => choose(each)}>
          {WORDS[each]}
        </button>
      ))}
    </div>
  );
}

// Helpers

const MODES: readonly Mode[] = ['live', 'test'];
const WORDS: Readonly<Record<Mode, string>> = { live: 'Live', test: 'Test' };

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
