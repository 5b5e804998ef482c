import type { LiveChange } from '../../contract/actors.ts';
import type { Mode } from '../../contract/desk.ts';
import { type Query, queryText } from '../routing/paths.ts';
import { queryClient } from './client.ts';
import { refreshSoon } from './gather.ts';
import { type RequestOptions, request } from './request.ts';

/** What merchants see is cached under `['desk', part, ...]`, so that everything of a part can be asked for again at once. */
export type DeskPart =
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

export function deskKey(part: DeskPart, ...rest: readonly unknown[]): readonly unknown[] {
  return ['desk', part, ...rest];
}

/** GET of a merchant's part of the API. */
export function readDesk<T>(path: string, query: Query, signal: AbortSignal): Promise<T> {
  return request<T>(`/merchant${path}${queryText(query)}`, { signal });
}

/** Anything else than GET. */
export function changeDesk<T>(method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown): Promise<T> {
  const options: RequestOptions = body === undefined ? { method } : { method, body };
  return request<T>(`/merchant${path}`, options);
}

/** Has these parts asked for again, as far as they are on the screen. */
export function refreshDesk(...parts: readonly DeskPart[]): Promise<unknown> {
  return Promise.all(parts.map((part) => queryClient.invalidateQueries({ queryKey: deskKey(part) })));
}

/** Has asked for again what changes when actors move on. */
export function refreshAfter(changes: readonly Pick<LiveChange, 'kind'>[]): void {
  const parts = new Set(changes.flatMap(({ kind }) => PARTS_OF[kind] ?? []));
  refreshSoon(...[...parts].map((part) => deskKey(part)));
}

/** Also the mode is part of most queries: `?mode=`. */
export function inMode(mode: Mode, query: Query = {}): Query {
  return { mode, ...query };
}

// Helpers

/** Which parts show something of actors of a kind. */
const PARTS_OF: Readonly<Record<string, readonly DeskPart[]>> = {
  transaction: ['payments', 'attention', 'overview', 'statistics', 'plan', 'links', 'wallets'],
  schedule: ['recurring'],
  delivery: ['endpoints', 'payments', 'overview'],
};
