/** Colours behind and in texts, per colour scheme, as `#rrggbb`. */
export interface Scheme {
  readonly ground: string;
  readonly card: string;
  readonly field: string;
}

export const LIGHT: Scheme = { ground: '#f2f4f3', card: '#ffffff', field: '#f5f7f6' };
export const DARK: Scheme = { ground: '#0f1412', card: '#19211d', field: '#212b26' };
