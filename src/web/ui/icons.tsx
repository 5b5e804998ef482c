import type { ReactNode } from 'react';

/**
 * Line icons on a grid of 16, in the colour of the text. They repeat a word and are hidden from
 * screen readers.
 */
export function Icon({ children }: { readonly children: ReactNode }) {
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
export const RefreshIcon = () => (
  <Icon>
    <path d="M13.5 8a5.5 5.5 0 0 1-10 3M2.5 8a5.5 5.5 0 0 1 10-3M12.5 2v3h-3M3.5 14v-3h3" />
  </Icon>
);
