import { API_PREFIX } from '../../src/http/api/index.ts';
import { type Fixtures, SCOPES, type Scope } from './fixtures.ts';
import { nothing } from './ids.ts';
import { type Ledger, scopeOfKey } from './ledger.ts';
import { type Filler, fill } from './placeholders.ts';
import type { FuzzRequest } from './requests.ts';
import type { SentRequest } from './send.ts';

export interface FilledRequest {
  readonly sent: SentRequest;
  /**
   * Whose data the request may read: the scope of its bearer token, or for the hosted checkout that
   * of its publishable key.
   */
  readonly reader: Scope | null;
}

/** Fills the placeholders of a generated request with the ids and keys that exist now. */
export function fillIn(request: FuzzRequest, fixtures: Fixtures, ledger: Ledger): FilledRequest {
  const keyOnly: Filler = (word, [name = '']) => (word === 'key' ? (fixtures.keys.get(name) ?? name) : `{{${word}}}`);
  const headers = headersOf(request, fixtures, keyOnly);
  const reader = readerOf(request, headers, fixtures);
  const filler = fillerFor(reader, fixtures, ledger);
  const filled = (text: string) => fill(text, filler);
  const path = request.path.replace(/\{(\w+)\}/g, (_all, name: string) =>
    percent(filled(request.parameters[name] ?? '')),
  );
  const pairs = request.query.map(([name, value]) => `${percent(name)}=${percent(filled(value))}`);
  const query = [...pairs, ...(request.rawQuery === null ? [] : [request.rawQuery])].join('&');
  return {
    reader,
    sent: {
      method: request.method,
      target: `${API_PREFIX}${path}${query === '' ? '' : `?${query}`}`,
      headers: Object.fromEntries([...headers].map(([name, value]) => [name, asHeader(filled(value))])),
      body: bodyOf(request, filled),
    },
  };
}

// Helpers

const BEARER = /^bearer +(\S+) *$/i;

/** The last header of a name wins. */
function headersOf(request: FuzzRequest, { keys }: Fixtures, keyOnly: Filler): Map<string, string> {
  const { key, headers, body, from } = request;
  return new Map([
    ['x-forwarded-for', from],
    ...(key === null ? [] : [['authorization', `Bearer ${keys.get(key) ?? key}`] as const]),
    ...(body === null ? [] : [['content-type', 'application/json'] as const]),
    ...headers.map(([name, value]) => [name.toLowerCase(), fill(value, keyOnly)] as const),
  ]);
}

function readerOf(request: FuzzRequest, headers: ReadonlyMap<string, string>, { keys }: Fixtures): Scope | null {
  const given = request.query.filter(([name]) => name === 'pk').map(([, value]) => value);
  if (given.length > 0) {
    const named = /^\{\{key (.+)\}\}$/.exec(given[0] ?? '')?.[1];
    return given.length > 1 || named === undefined ? null : scopeOfKey(named);
  }
  const token = BEARER.exec(headers.get('authorization') ?? '')?.[1];
  const name = [...keys].find(([, key]) => key === token)?.[0];
  return name === undefined ? null : scopeOfKey(name);
}

function fillerFor(reader: Scope | null, fixtures: Fixtures, ledger: Ledger): Filler {
  return (word, [first = '', whose = 'own', nth = '0']) => {
    switch (word) {
      case 'mark':
        return reader === null ? 'nobody' : ledger.markOf(reader);
      case 'receiver':
        return fixtures.receiver;
      case 'slug':
        return at(fixtures.slugs, Number(first)) ?? '';
      case 'key':
        return fixtures.keys.get(first) ?? first;
      case 'existing': {
        const others = SCOPES.filter((scope) => scope !== reader && ledger.idsOf(scope, first).length > 0);
        const scope = whose === 'own' ? reader : (at(others, Number(nth)) ?? null);
        return (scope === null ? undefined : at(ledger.idsOf(scope, first), Number(nth))) ?? nothing(first);
      }
    }
  };
}

function at<T>(list: readonly T[], nth: number): T | undefined {
  return list[nth % list.length];
}

function bodyOf({ body }: FuzzRequest, filled: (text: string) => string): string | Uint8Array | null {
  if (body === null) return null;
  if ('json' in body) return filled(JSON.stringify(body.json));
  return typeof body.raw === 'string' ? filled(body.raw) : body.raw;
}

/** HTTP headers cannot contain other characters. */
function asHeader(text: string): string {
  return text.replace(/[^\t\x20-\x7e\x80-\xff]/g, '?');
}

/** Percent-encodes any text; a lone surrogate becomes U+FFFD, as from a broken client. */
function percent(text: string): string {
  if (/^[\w.~-]*$/.test(text) && !/^\.+$/.test(text)) return text;
  return [...Buffer.from(text, 'utf8')].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
}
