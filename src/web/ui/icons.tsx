import type { ReactNode } from 'react';

/**
 * Line icons on a grid of 16, in the colour of the text. They repeat a word and are hidden from
 * screen readers.
 */
function Icon({ children }: { readonly children: ReactNode }) {
  return (
    <svg className="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      {children}
    </svg>
  );
}

export const CrossIcon = () => (
  <Icon>
    <path d="m4 4 8 8m0-8-8 8" />
  </Icon>
);
export const DotsIcon = () => (
  <Icon>
    <path d="M3 8h.01M8 8h.01M13 8h.01" strokeWidth="2.5" />
  </Icon>
);
export const ChartIcon = () => (
  <Icon>
    <rect x="1.5" y="5.5" width="4" height="5" rx="1" />
    <rect x="10.5" y="1.5" width="4" height="4.5" rx="1" />
    <rect x="10.5" y="10" width="4" height="4.5" rx="1" />
    <path d="M5.5 8h2.5V4h2.5M8 8v4h2.5" />
  </Icon>
);
export const ListIcon = () => (
  <Icon>
    <path d="M5.5 4h9M5.5 8h9M5.5 12h9M2 4h.5M2 8h.5M2 12h.5" />
  </Icon>
);
export const LetterIcon = () => (
  <Icon>
    <rect x="1.5" y="3" width="13" height="10" rx="1.5" />
    <path d="m2 4.5 6 4.5 6-4.5" />
  </Icon>
);
export const RunIcon = () => (
  <Icon>
    <path d="M2 8a6 6 0 0 1 10.5-4M14 8a6 6 0 0 1-10.5 4M12.8 1.5V4.2h-2.7M3.2 14.5v-2.7h2.7" />
  </Icon>
);
export const PulseIcon = () => (
  <Icon>
    <path d="M1 8.5h3l2-5 3.5 9 2-4H15" />
  </Icon>
);
export const PersonIcon = () => (
  <Icon>
    <circle cx="8" cy="5" r="2.75" />
    <path d="M2.5 14c.6-3 2.8-4.3 5.5-4.3s4.9 1.3 5.5 4.3" />
  </Icon>
);
export const PeopleIcon = () => (
  <Icon>
    <circle cx="6" cy="5.25" r="2.5" />
    <path d="M1 13.5c.5-2.8 2.4-4 5-4s4.5 1.2 5 4M10.5 3a2.5 2.5 0 0 1 0 4.6M12.5 9.9c1.4.6 2.2 1.8 2.5 3.6" />
  </Icon>
);
export const SunIcon = () => (
  <Icon>
    <circle cx="8" cy="8" r="3" />
    <path d="M8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1.1 1.1M11.9 11.9 13 13M13 3l-1.1 1.1M4.1 11.9 3 13" />
  </Icon>
);
export const MoonIcon = () => (
  <Icon>
    <path d="M13.5 9.5A6 6 0 0 1 6.5 2.5a6 6 0 1 0 7 7z" />
  </Icon>
);
export const ScreenIcon = () => (
  <Icon>
    <rect x="1.5" y="2.5" width="13" height="8.5" rx="1.2" />
    <path d="M5.5 14h5M8 11v3" />
  </Icon>
);
export const MenuIcon = () => (
  <Icon>
    <path d="M2 4h12M2 8h12M2 12h12" />
  </Icon>
);
export const LogIcon = () => (
  <Icon>
    <path d="M3.5 1.5h6l3 3v10h-9zM9.5 1.5v3h3M5.5 7.5h5M5.5 10h5M5.5 12.2h3" />
  </Icon>
);
export const CopyIcon = () => (
  <Icon>
    <rect x="5.5" y="5.5" width="8.5" height="8.5" rx="1.5" />
    <path d="M3.5 10.5H3A1.5 1.5 0 0 1 1.5 9V3A1.5 1.5 0 0 1 3 1.5h6A1.5 1.5 0 0 1 10.5 3v.5" />
  </Icon>
);
export const TickIcon = () => (
  <Icon>
    <path d="m3 8.5 3.5 3.5L13 4.5" />
  </Icon>
);
export const ClockIcon = () => (
  <Icon>
    <circle cx="8" cy="8" r="6.25" />
    <path d="M8 4.5V8l2.5 1.8" />
  </Icon>
);
export const WarnIcon = () => (
  <Icon>
    <path d="M8 2 1.5 13.5h13zM8 6.5v3.2M8 11.7v.1" />
  </Icon>
);
export const KeyboardIcon = () => (
  <Icon>
    <rect x="1" y="3.5" width="14" height="9" rx="1.5" />
    <path d="M3.8 6.3h.1M6.6 6.3h.1M9.4 6.3h.1M12.2 6.3h.1M4.5 9.7h7" />
  </Icon>
);
export const BackIcon = () => (
  <Icon>
    <path d="m10 3-5 5 5 5" />
  </Icon>
);
export const ForwardIcon = () => (
  <Icon>
    <path d="m6 3 5 5-5 5" />
  </Icon>
);
export const HomeIcon = () => (
  <Icon>
    <path d="M2 7.5 8 2l6 5.5M3.5 6.5v7h3.5v-4h2v4h3.5v-7" />
  </Icon>
);
export const BellIcon = () => (
  <Icon>
    <path d="M3 12h10c-1.2-1-1.5-2.2-1.5-4.5a3.5 3.5 0 0 0-7 0C4.5 9.8 4.2 11 3 12ZM6.5 14h3M8 4V2" />
  </Icon>
);
export const LinkIcon = () => (
  <Icon>
    <path d="M6.5 9.5 9.5 6.5M7 4.5l1.5-1.5a3 3 0 0 1 4.5 4.5L11.5 9M9 11.5 7.5 13A3 3 0 0 1 3 8.5L4.5 7" />
  </Icon>
);
export const WalletIcon = () => (
  <Icon>
    <rect x="1.5" y="4" width="13" height="9.5" rx="1.5" />
    <path d="M12 4V2.5L3 4M10.5 8.75h4" />
  </Icon>
);
export const KeyIcon = () => (
  <Icon>
    <circle cx="5" cy="11" r="2.75" />
    <path d="m7 9 6.5-6.5M11 5l2 2M9.2 6.8l1.5 1.5" />
  </Icon>
);
export const HookIcon = () => (
  <Icon>
    <path d="M8 1.5v5.5M8 7a4 4 0 1 1-4 4M4 11l-1.5 1.5M4 11l1.5 1.5" />
    <circle cx="8" cy="3" r="1.5" />
  </Icon>
);
export const InvoiceIcon = () => (
  <Icon>
    <path d="M3 1.5h10v13l-2-1.5-1.5 1.5L8 13l-1.5 1.5L5 13l-2 1.5ZM5.5 5h5M5.5 8h5" />
  </Icon>
);
export const SettingsIcon = () => (
  <Icon>
    <path d="M2 4.5h7M13 4.5h1M2 11.5h1M7 11.5h7" />
    <circle cx="11" cy="4.5" r="2" />
    <circle cx="5" cy="11.5" r="2" />
  </Icon>
);
export const RefreshIcon = () => (
  <Icon>
    <path d="M13.5 8a5.5 5.5 0 0 1-10 3M2.5 8a5.5 5.5 0 0 1 10-3M12.5 2v3h-3M3.5 14v-3h3" />
  </Icon>
);
