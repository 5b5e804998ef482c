import { type Static, Type } from 'typebox';
import { oneOf } from '../schema.ts';
import { Reason, RequestId, Text } from './schemas.ts';

/**
 * What happens on a chart over time, state changes in a period and versions in use: the requests,
 * and the types of the responses.
 */

export type { ChartVersion, MigrationPreview, Throughput } from '../../../operations/index.ts';

const Span = oneOf(['hour', 'day', 'week']);
export type Span = Static<typeof Span>;
export const ThroughputQuery = Type.Object({ span: Span });

export const MigrationDraft = Type.Object({ from: Text, to: Text });
export type MigrationDraft = Static<typeof MigrationDraft>;

export const MigrationBody = Type.Object({
  from: Text,
  to: Text,
  /** Fingerprint of the preview that the operator has read. */
  fingerprint: Text,
  reason: Reason,
  requestId: RequestId,
});
export type MigrationBody = Static<typeof MigrationBody>;
