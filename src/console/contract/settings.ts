/** The settings of a merchant. */

/** Response of GET /console/api/merchant/settings. */
export interface SettingsInfo {
  readonly merchantId: string;
  /** Never changes: the operator's files and commands identify the merchant by it. */
  readonly name: string;
  readonly values: SettingsValues;
  readonly limits: SettingsLimits;
  /** The default payment windows, shortest first. */
  readonly ownWindows: readonly { readonly minutes: number; readonly coins: readonly string[] }[];
}

export interface SettingsValues {
  /** How much of an amount may be missing, in basis points (0.01 %). */
  readonly toleranceBasisPoints: number;
  /** Null: the default of each coin. */
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
 * PATCH /console/api/merchant/settings, returns `SettingsValues`. Omitted fields stay unchanged.
 * `seen` contains the previous value of every changed field; 409 `CONFLICT` when it is no longer
 * current. A larger tolerance and fewer confirmations may need the password again.
 */
export interface SettingsChangeBody {
  readonly changes: Partial<SettingsValues>;
  readonly seen: Partial<SettingsValues>;
}
