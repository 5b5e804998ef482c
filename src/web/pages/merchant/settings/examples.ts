import type { SettingsInfo, SettingsLimits } from '../../../../http/console/merchant/settings/schemas.ts';
import { basisPointsOf, completeFrom, percentText } from './percent.ts';

/** Examples of what a value means for a sale, shown while it is typed. */

/** Bitcoin finds a block in about ten minutes, Ethereum in twelve seconds. */
const BITCOIN_BLOCK_MINUTES = 10;
const ETHEREUM_BLOCK_SECONDS = 12;
const NOON_MINUTES = 12 * 60;
const DAY_MINUTES = 24 * 60;

export function toleranceExample(text: string, { maxToleranceBasisPoints }: SettingsLimits): string {
  const basisPoints = basisPointsOf(text);
  const why = 'Exchanges deduct their fee from what a customer sends, so payments often arrive slightly short.';
  if (basisPoints === null || basisPoints > maxToleranceBasisPoints) return why;
  if (basisPoints === 0) return `${why} With 0 %, a payment of 100 EUR is complete at 100.00 EUR.`;
  return `${why} With ${percentText(basisPoints)} %, a payment of 100 EUR is complete at ${completeFrom(basisPoints)} EUR.`;
}

export function confirmationsExample(text: string): string {
  const why = 'More confirmations make a payment safer. Large amounts require more automatically.';
  const count = wholeOf(text);
  if (count === null || count < 1) return why;
  const bitcoin = durationWords(count * BITCOIN_BLOCK_MINUTES * 60);
  const ethereum = durationWords(count * ETHEREUM_BLOCK_SECONDS);
  return `${why} With ${count}, a customer waits about ${bitcoin} on Bitcoin and ${ethereum} on Ethereum, or longer.`;
}

export function windowExample(text: string): string {
  const minutes = wholeOf(text);
  if (minutes === null) return 'How long the price in coins is locked.';
  const end = NOON_MINUTES + minutes;
  const day = end >= DAY_MINUTES ? ' on the next day' : '';
  return `How long the price in coins is locked. A customer who starts at 12:00 has until ${clockText(end % DAY_MINUTES)}${day} to pay.`;
}

export function lagExample(rejects: boolean): string {
  return rejects
    ? 'If the connection to a network is down, customers cannot choose its coins until it recovers. Other coins keep working.'
    : 'If the connection to a network is down, customers can still pay, and their payments are confirmed once it recovers.';
}

/** `30 minutes for BTC and LTC, 60 minutes for USDT_ERC20`. */
export function ownWindowsText(ownWindows: SettingsInfo['ownWindows']): string {
  return ownWindows.map(({ minutes, coins }) => `${minutes} minutes for ${coins.join(', ')}`).join('; ');
}

// Helpers

function wholeOf(text: string): number | null {
  return /^\d{1,6}$/.test(text.trim()) ? Number(text) : null;
}

function clockText(minutes: number): string {
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
}

function durationWords(seconds: number): string {
  if (seconds < 90) return `${seconds} seconds`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 120) return `${minutes} minutes`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} hours` : `${Math.round(hours / 24)} days`;
}
