/** What a merchant has set about itself. */

/** Answer of GET /console/api/merchant/settings. */
export interface SettingsInfo {
  readonly merchantId: string;
  /** Does not change: the files and commands of whoever runs the service know the merchant by it. */
  readonly name: string;
  readonly values: SettingsValues;
  readonly limits: SettingsLimits;
  /** The time to pay that applies where the merchant has set none, the shortest first. */
  readonly ownWindows: readonly { readonly minutes: number; readonly coins: readonly string[] }[];
}

export interface SettingsValues {
  /** How much of an amount may be missing, in hundredths of a percent of it. */
  readonly toleranceBasisPoints: number;
  /** Null: the time of each coin. */
  readonly windowMinutes: number | null;
  readonly minConfirmations: number;
  readonly refuseWhenNetworkLags: boolean;
  readonly contactEmail: string;
}

export interface SettingsLimits {
  readonly maxToleranceBasisPoints: number;
  readonly minWindowMinutes: number;
  readonly maxWindowMinutes: number;
  readonly maxMinConfirmations: number;
}

/**
 * PATCH /console/api/merchant/settings, answers `SettingsValues`. What is left out stays. Whatever changes is in `seen` too, as it was
 * before; 409 `CONFLICT` when it is not so any more.
 */
export interface SettingsChangeBody {
  readonly changes: Partial<SettingsValues>;
  readonly seen: Partial<SettingsValues>;
}
