import { type LiveState, useLive } from '../api/live.ts';
import { useShortcut } from '../state/shortcuts.ts';
import { useView, viewStore } from '../state/view-store.ts';
import { Button } from '../ui/button.tsx';
import { RefreshIcon } from '../ui/icons.tsx';

/** Switches automatic updates of the pages, and shows whether their stream is connected. */
export function LiveSwitch({ isOfMerchant }: { readonly isOfMerchant: boolean }) {
  const isLive = useView('isLive');
  const state = useLive(isOfMerchant);
  const toggle = () => viewStore.trigger.liveToggled();
  useShortcut('l', 'Turn auto-refresh on or off', toggle);
  const label = `Auto-refresh: ${SAYINGS[state]}`;
  return (
    <Button
      look="quiet"
      className="button-icon live"
      aria-pressed={isLive}
      aria-label={label}
      title={`${label} (l)`}
      onClick={toggle}
    >
      <RefreshIcon />
      <span className={`live-dot live-dot-${state}`} />
    </Button>
  );
}

// Helpers

const SAYINGS: Readonly<Record<LiveState, string>> = {
  off: 'pages stand still',
  connecting: 'connecting',
  on: 'pages follow what happens',
  lost: 'the connection is lost and tried again',
};
