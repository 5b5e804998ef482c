import type {
  AttentionCount,
  AttentionKindName,
  AttentionList,
  SettleAttentionBody,
} from '../../contract/attention.ts';
import type { Mode } from '../../contract/desk.ts';
import type { Member } from '../member.ts';

export interface AttentionRequest {
  readonly mode: Mode;
  readonly kind: AttentionKindName | undefined;
  readonly isSettled: boolean;
  readonly cursor: string | undefined;
  readonly limit: number;
}

export interface AttentionDesk {
  count(member: Member, mode: Mode): Promise<AttentionCount>;
  /** Throws `INVALID_REQUEST` for a cursor that no page returned. */
  list(member: Member, request: AttentionRequest): Promise<AttentionList>;
  /** Throws `ATTENTION_NOT_FOUND`, `INVALID_STATE` and `INVALID_REQUEST`. */
  settle(
    member: Member,
    item: { readonly transactionId: string; readonly kind: AttentionKindName },
    body: SettleAttentionBody,
  ): Promise<void>;
}
