import type { AttentionItem } from '../../../../payments/index.ts';
import { isId } from '../../../../platform/ids.ts';
import type { AttentionItemInfo, AttentionSettler } from './schemas.ts';

/**
 * An attention item as the console shows it. Users appear with their current email address if they
 * belong to the merchant.
 */
export function attentionInfoOf(item: AttentionItem, emails: ReadonlyMap<string, string>): AttentionItemInfo {
  return { ...item, settledBy: item.settledAt === null ? null : settlerOf(item, emails) };
}

// Helpers

function settlerOf({ settledBy }: AttentionItem, emails: ReadonlyMap<string, string>): AttentionSettler {
  if (settledBy === null) return { kind: 'itself' };
  if (isId('key', settledBy)) return { kind: 'shop' };
  const email = emails.get(settledBy);
  return email === undefined ? { kind: 'other' } : { kind: 'person', email };
}
