import { expect } from 'vitest';
import { DAY_MS, HOUR_MS, type UnixMs } from '../../../machines/index.ts';
import type { Result } from './shop.ts';

const FIVE_DAYS_MS = 5 * DAY_MS;
const STEPS_MS = [HOUR_MS, 60 * HOUR_MS, 108 * HOUR_MS];

/**
 * An endpoint as a person with pen and paper would track it: its failures since the last success,
 * the notices about them, and whether a recovery notice is due. It verifies notices that arrive; it
 * does not compute which should.
 */
export class HealthModel {
  enabled = true;
  disablesItself = false;
  hasClockGoneBack = false;
  /** Failures since the last success, or since the endpoint was enabled. */
  #failures: UnixMs[] = [];
  readonly #allFailures: UnixMs[] = [];
  #successes: UnixMs[] = [];
  /** Warnings about the current failing period. */
  #warnings: UnixMs[] = [];
  /** The merchant's last notice says that the endpoint fails. */
  #isNotifiedOfFailure = false;
  #hasSucceededSinceNotified = false;

  attempt(result: Result, at: UnixMs): void {
    if (result === 'not_sent') return;
    if (result !== 'success') {
      this.#failures.push(at);
      this.#allFailures.push(at);
      return;
    }
    this.#successes.push(at);
    this.#begin();
    this.#hasSucceededSinceNotified = true;
  }

  switch(enabled: boolean): void {
    if (enabled && !this.enabled) this.#begin();
    this.enabled = enabled;
  }

  /** Checks that a notice is true and new. */
  sent(kind: string, since: UnixMs, now: UnixMs): void {
    expect(this.enabled, `${kind} about a disabled endpoint`).toBe(true);
    if (kind === 'webhook_recovered') {
      // After the clock went back, a failure after the last success can have an earlier timestamp.
      const lastSuccess = this.hasClockGoneBack ? Math.max(...this.#successes) : Number.NEGATIVE_INFINITY;
      const failures = this.#failures.filter((at) => at > lastSuccess);
      expect(failures, 'works again while it fails').toEqual([]);
      expect([this.#isNotifiedOfFailure, this.#hasSucceededSinceNotified], 'works again without having failed').toEqual(
        [true, true],
      );
      this.#isNotifiedOfFailure = false;
      return;
    }
    expect(this.#failures, 'fails while it is well').not.toEqual([]);
    // After the clock went back, failures before the last success look like failures after it.
    const failures = this.hasClockGoneBack ? this.#allFailures : this.#failures;
    expect(failures, 'fails since a moment without a failure').toContain(since);
    expect(failures.length, 'too few failures').toBeGreaterThanOrEqual(4);
    if (kind === 'webhook_disabled') {
      expect(this.disablesItself, 'it was not enabled').toBe(true);
      expect(now - since).toBeGreaterThanOrEqual(FIVE_DAYS_MS);
      expect(now - (this.#warnings.at(-1) ?? Number.NaN), 'not warned').toBeGreaterThanOrEqual(12 * HOUR_MS);
      expect(
        this.#failures.some((at) => now - at <= DAY_MS),
        'not tried any more',
      ).toBe(true);
      this.enabled = false;
      this.#isNotifiedOfFailure = false;
      return;
    }
    this.#warnings.push(now);
    const allowed = this.disablesItself ? STEPS_MS.filter((step) => now - since >= step).length : 1;
    expect(now - since).toBeGreaterThanOrEqual(STEPS_MS[0] ?? 0);
    expect(this.#warnings.length, 'warned more often than there are steps').toBeLessThanOrEqual(allowed);
    this.#isNotifiedOfFailure = true;
    this.#hasSucceededSinceNotified = false;
  }

  /** After a check that sent `news` notices, checks that none is missing. */
  nothingIsOwed(now: UnixMs, news: number): void {
    if (!this.enabled || news > 0) return;
    const [since] = this.#failures;
    if (since === undefined) {
      expect(this.#isNotifiedOfFailure && this.#hasSucceededSinceNotified, 'works again is owed').toBe(false);
      return;
    }
    // After the clock went back, old successes look new; then no notice is better than a wrong one.
    const isPuzzled =
      this.hasClockGoneBack && (this.#successes.some((at) => at > since) || this.#failures.some((at) => at < since));
    // An end in the same millisecond as a success cannot be ordered after it.
    const lastSuccess = Math.max(...this.#successes);
    if (isPuzzled || this.#failures.filter((at) => at > lastSuccess).length < 4) return;
    const steps = this.disablesItself ? STEPS_MS : STEPS_MS.slice(0, 1);
    const isDue = steps.some((step) => now - since >= step);
    expect(isDue && this.#warnings.length === 0, 'a warning is owed').toBe(false);
  }

  #begin(): void {
    this.#failures = [];
    this.#warnings = [];
  }
}
