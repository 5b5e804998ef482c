import { type Kysely, sql } from 'kysely';
import type { AttemptFailure, UnixMs } from '../../../machines/index.ts';
import type { Database } from '../../platform/db/index.ts';
import type { Exchange } from './post.ts';

export interface AttemptRecord {
  readonly deliveryId: string;
  readonly attempt: number;
  readonly startedAt: UnixMs;
  readonly durationMs: number;
  readonly status: number | null;
  readonly failure: AttemptFailure | null;
  /** Made while the endpoint was held back. */
  readonly isProbe: boolean;
  /** Null when nothing was sent over the network. */
  readonly exchange: Exchange | null;
}

/**
 * Logs the attempts made, even those whose outcome never reaches their delivery. An attempt already
 * logged stays unchanged.
 */
export async function insertAttempts(db: Kysely<Database>, records: readonly AttemptRecord[]): Promise<void> {
  if (records.length === 0) return;
  const column = <K extends keyof AttemptRecord>(name: K) => records.map((record) => record[name]);
  const seen = <K extends keyof Exchange>(name: K) => records.map(({ exchange }) => exchange?.[name] ?? null);
  const headers = (name: 'requestHeaders' | 'responseHeaders') => seen(name).map(jsonOf);
  await sql`
    insert into webhook_attempt (delivery_id, attempt, started_at, duration_ms, status, failure, failure_detail, is_probe,
      request_headers, response_headers, response_body, is_response_cut, peer_address, dns_ms, connect_ms, tls_ms,
      first_byte_ms)
    select delivery_id, attempt, to_timestamp(started_at / 1000.0), duration_ms, status, failure, failure_detail, is_probe,
      request_headers::json, response_headers::json, response_body, coalesce(is_response_cut, false), peer_address,
      dns_ms, connect_ms, tls_ms, first_byte_ms
    from unnest(
      ${column('deliveryId')}::text[], ${column('attempt')}::int4[], ${column('startedAt')}::int8[],
      ${column('durationMs')}::int4[], ${column('status')}::int4[],
      ${records.map(({ failure }) => failure?.kind ?? null)}::text[],
      ${records.map(({ failure }) => failure?.detail ?? null)}::text[], ${column('isProbe')}::bool[],
      ${headers('requestHeaders')}::text[], ${headers('responseHeaders')}::text[], ${seen('responseBody')}::text[],
      ${seen('isResponseCut')}::bool[], ${seen('peerAddress')}::text[], ${seen('dnsMs')}::int4[],
      ${seen('connectMs')}::int4[], ${seen('tlsMs')}::int4[], ${seen('firstByteMs')}::int4[]
    ) as fresh (delivery_id, attempt, started_at, duration_ms, status, failure, failure_detail, is_probe,
      request_headers, response_headers, response_body, is_response_cut, peer_address, dns_ms, connect_ms, tls_ms,
      first_byte_ms)
    on conflict do nothing`.execute(db);
}

// Helpers

function jsonOf(headers: Readonly<Record<string, string>> | null): string | null {
  return headers === null ? null : JSON.stringify(headers);
}
