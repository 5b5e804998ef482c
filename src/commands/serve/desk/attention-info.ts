import type { AttentionDesk } from '../../../console/index.ts';
import { isId } from '../../../ids.ts';
import type { AttentionItem } from '../../../payments/index.ts';

type Info = Awaited<ReturnType<AttentionDesk['list']>>['items'][number];

/**
 * An attention item as the console shows it. Users appear with their current email address if they
 * belong to the merchant.
 */
export function attentionInfoOf(item: AttentionItem, emails: ReadonlyMap<string, string>): Info {
  return { ...item, settledBy: item.settledAt === null ? null : settlerOf(item, emails) };
}

// Helpers

function settlerOf({ settledBy }: AttentionItem, emails: ReadonlyMap<string, string>): Info['settledBy'] {
  if (settledBy === null) return { kind: 'itself' };
  if (isId('key', settledBy)) return { kind: 'shop' };
  const email = emails.get(settledBy);
  return email === undefined ? { kind: 'other' } : { kind: 'person', email };
}
