import { Type } from 'typebox';
import type { AuditedAction, ListedAuditEntry } from '../../../../merchants/index.ts';
import { oneOf, whole } from '../../schema.ts';

export type { AuditedAction as AuditAction } from '../../../../merchants/index.ts';

export type AuditSubjectKind = AuditedAction extends infer Action
  ? Action extends `${infer Noun}.${string}`
    ? Noun
    : never
  : never;

/** Total, so that every audited action can be queried. */
const KINDS: Readonly<Record<AuditSubjectKind, true>> = {
  merchant: true,
  user: true,
  session: true,
  api_key: true,
  webhook_endpoint: true,
  wallet: true,
  payment_link: true,
  schedule: true,
  payment: true,
  attention: true,
};

/** Largest integer that a query accepts; a number represents it exactly. */
const MAX_ID = 999_999_999_999_999;

export const AuditQuery = Type.Object({
  what: Type.Optional(oneOf(Object.keys(KINDS) as AuditSubjectKind[])),
  /** This time or later. */
  from: Type.Optional(whole(0, Date.UTC(9999, 11, 31))),
  /** From the previous page. */
  cursor: Type.Optional(whole(1, MAX_ID)),
  limit: Type.Optional(whole(1, 200)),
});

/** A user of this merchant, an operator, or a program. */
export type AuditWho =
  | { readonly kind: 'colleague'; readonly email: string }
  | { readonly kind: 'operator' }
  | { readonly kind: 'other'; readonly name: string };

export interface AuditEntryInfo extends Omit<ListedAuditEntry, 'who' | 'whoEmail'> {
  readonly who: AuditWho;
}

/** Newest first. */
export interface AuditList {
  readonly entries: readonly AuditEntryInfo[];
  /** Cursor of the next page; null at the end. */
  readonly cursor: string | null;
}
