import type { Mode } from '../../http/console/merchant/schemas.ts';
import type { LiveChange } from '../../http/console/operations/schemas.ts';
import { type Query, queryText } from '../routing/paths.ts';
import { queryClient } from './client.ts';
import { refreshSoon } from './gather.ts';
import { type RequestOptions, request } from './request.ts';

/**
 * Merchant data is cached under `['merchant-data', part, ...]`, so that a whole part can be
 * invalidated at once.
 */
export type MerchantPart =
  | 'payments'
  | 'attention'
  | 'overview'
  | 'wallets'
  | 'keys'
  | 'endpoints'
  | 'links'
  | 'recurring'
  | 'statistics'
  | 'plan'
  | 'settings'
  | 'audit';

/** A request body with plain text for choices, as form fields give it; the server checks it. */
export type AsText<T, Names extends keyof T> = Omit<T, Names> & {
  readonly [Name in Names]: T[Name] extends readonly string[] ? readonly string[] : string;
};

export function merchantKey(part: MerchantPart, ...rest: readonly unknown[]): readonly unknown[] {
  return ['merchant-data', part, ...rest];
}

/** GET in the merchant part of the API. */
export function readMerchantData<T>(path: string, query: Query, signal: AbortSignal): Promise<T> {
  return request<T>(`/merchant${path}${queryText(query)}`, { signal });
}

/** All other methods in the merchant part of the API. */
export function changeMerchantData<T>(method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown): Promise<T> {
  const options: RequestOptions = body === undefined ? { method } : { method, body };
  return request<T>(`/merchant${path}`, options);
}

/** Invalidates these parts; what is on the screen is fetched again. */
export function refreshMerchantData(...parts: readonly MerchantPart[]): Promise<unknown> {
  return Promise.all(parts.map((part) => queryClient.invalidateQueries({ queryKey: merchantKey(part) })));
}

/** Invalidates what depends on the actors that changed. */
export function refreshAfter(changes: readonly Pick<LiveChange, 'kind'>[]): void {
  const parts = new Set(changes.flatMap(({ kind }) => PARTS_OF[kind] ?? []));
  refreshSoon(...[...parts].map((part) => merchantKey(part)));
}

/** Adds the mode, `?mode=`, which most queries need. */
export function inMode(mode: Mode, query: Query = {}): Query {
  return { mode, ...query };
}

// Helpers

/** The parts that show data of each kind of actor. */
const PARTS_OF: Readonly<Record<string, readonly MerchantPart[]>> = {
  transaction: ['payments', 'attention', 'overview', 'statistics', 'plan', 'links', 'wallets'],
  schedule: ['recurring'],
  delivery: ['endpoints', 'payments', 'overview'],
};
