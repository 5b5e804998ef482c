import { Icon } from '../ui/icons.tsx';

// Each menu entry has its own icon.

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
export const CoinsIcon = () => (
  <Icon>
    <ellipse cx="8" cy="4" rx="5.5" ry="2.25" />
    <path d="M2.5 4v8c0 1.2 2.5 2.25 5.5 2.25s5.5-1 5.5-2.25V4M2.5 8c0 1.2 2.5 2.25 5.5 2.25s5.5-1 5.5-2.25" />
  </Icon>
);
export const LinkIcon = () => (
  <Icon>
    <path d="M6.5 9.5 9.5 6.5M7 4.5l1.5-1.5a3 3 0 0 1 4.5 4.5L11.5 9M9 11.5 7.5 13A3 3 0 0 1 3 8.5L4.5 7" />
  </Icon>
);
export const CalendarIcon = () => (
  <Icon>
    <rect x="2" y="3" width="12" height="11" rx="1.5" />
    <path d="M2 6.5h12M5.5 1.5V4M10.5 1.5V4" />
  </Icon>
);
export const BarsIcon = () => (
  <Icon>
    <path d="M2 14h12M4 11.5V8M8 11.5V2.5M12 11.5v-6" />
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
export const TagIcon = () => (
  <Icon>
    <path d="M1.75 3v5l6.25 6.25 6.25-6.25L8 1.75H3A1.25 1.25 0 0 0 1.75 3ZM5 5h.01" />
  </Icon>
);
export const SettingsIcon = () => (
  <Icon>
    <path d="M2 4.5h7M13 4.5h1M2 11.5h1M7 11.5h7" />
    <circle cx="11" cy="4.5" r="2" />
    <circle cx="5" cy="11.5" r="2" />
  </Icon>
);
export const LogIcon = () => (
  <Icon>
    <path d="M3.5 1.5h6l3 3v10h-9zM9.5 1.5v3h3M5.5 7.5h5M5.5 10h5M5.5 12.2h3" />
  </Icon>
);
export const PulseIcon = () => (
  <Icon>
    <path d="M1 8.5h3l2-5 3.5 9 2-4H15" />
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
export const TrayIcon = () => (
  <Icon>
    <path d="M4 2.5h8l2.5 6.5v4.5h-13V9ZM1.5 9H5c.3 1.6 1.4 2.4 3 2.4s2.7-.8 3-2.4h3.5" />
  </Icon>
);
export const EnvelopeIcon = () => (
  <Icon>
    <rect x="1.5" y="3" width="13" height="10" rx="1.5" />
    <path d="m2 4.5 6 4.5 6-4.5" />
  </Icon>
);
export const RunIcon = () => (
  <Icon>
    <path d="m2 3.5 5.5 4.5L2 12.5zM8.5 3.5 14 8l-5.5 4.5z" />
  </Icon>
);
export const FolderIcon = () => (
  <Icon>
    <path d="M1.5 12.5v-9h4.5l1.5 2h7v7.5h-13Z" />
  </Icon>
);
export const ShopIcon = () => (
  <Icon>
    <path d="M2 6.5 3 2h10l1 4.5a2 2 0 0 1-4 0 2 2 0 0 1-4 0 2 2 0 0 1-4 0ZM3 9v5h10V9M6.5 14v-3h3v3" />
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
