import { type Kysely, sql } from 'kysely';
import type { AttemptFailure, UnixMs } from '../../../machines/index.ts';
import { type Database, insertUnnested, jsonText } from '../../platform/db/index.ts';
import type { Exchange } from './post.ts';

export interface AttemptRecord {
  readonly deliveryId: string;
  readonly attempt: number;
  readonly startedAt: UnixMs;
  readonly durationMs: number;
  readonly status: number | null;
  readonly failure: AttemptFailure | null;
  /** Sent while deliveries to the endpoint were paused. */
  readonly isProbe: boolean;
  /** Null when nothing was sent over the network. */
  readonly exchange: Exchange | null;
}

/**
 * Logs all attempts, even if their outcome never reaches their delivery. An attempt already logged
 * stays unchanged.
 */
export async function insertAttempts(db: Kysely<Database>, records: readonly AttemptRecord[]): Promise<void> {
  if (records.length === 0) return;
  await sql`
    ${insertUnnested('webhook_attempt', ATTEMPT_COLUMNS, records.map(rowOf))}
    on conflict do nothing`.execute(db);
}

// Helpers

const ATTEMPT_COLUMNS = {
  text: ['delivery_id', 'failure', 'failure_detail', 'response_body', 'peer_address'],
  int4: ['attempt', 'duration_ms', 'status', 'dns_ms', 'connect_ms', 'tls_ms', 'first_byte_ms'],
  boolean: ['is_probe', 'is_response_cut'],
  json: ['request_headers', 'response_headers'],
  timestamptz: ['started_at'],
} as const;

function rowOf({ exchange, failure, ...record }: AttemptRecord) {
  return {
    delivery_id: record.deliveryId,
    attempt: record.attempt,
    started_at: record.startedAt,
    duration_ms: record.durationMs,
    status: record.status,
    failure: failure?.kind ?? null,
    failure_detail: failure?.detail ?? null,
    is_probe: record.isProbe,
    request_headers: jsonText(exchange?.requestHeaders),
    response_headers: jsonText(exchange?.responseHeaders),
    response_body: exchange?.responseBody ?? null,
    is_response_cut: exchange?.isResponseCut ?? false,
    peer_address: exchange?.peerAddress ?? null,
    dns_ms: exchange?.dnsMs ?? null,
    connect_ms: exchange?.connectMs ?? null,
    tls_ms: exchange?.tlsMs ?? null,
    first_byte_ms: exchange?.firstByteMs ?? null,
  };
}
