import type { AuditEntryInfo } from '../../../../http/console/merchant/audit/schemas.ts';
import type { SettingsValues } from '../../../../http/console/merchant/settings/schemas.ts';
import { isRecord } from '../../../../platform/is-record.ts';
import { DetailList } from '../../../ui/card.tsx';
import { Copy } from '../../../ui/copy.tsx';
import { Diff } from '../../../ui/values/diff.tsx';
import { JsonTree } from '../../../ui/values/json-tree.tsx';
import { FullTimestamp } from '../../../ui/values/timestamp.tsx';
import { Dialog } from '../../../ui/windows/dialog.tsx';
import { NOTICE_LABELS } from '../settings/notice-fields.ts';
import { sentenceOf, whoText } from './sentences.ts';
import { Subject } from './subject.tsx';

interface EntryDialogProps {
  readonly entry: AuditEntryInfo;
  close(): void;
}

export function EntryDialog({ entry, close }: EntryDialogProps) {
  const { at, who, what, subjectId, details } = entry;
  const { before, after, ...rest } = details;
  const hasChanges = isRecord(before) && isRecord(after);
  const others = hasChanges ? rest : details;
  return (
    <Dialog title={`${whoText(who)} ${sentenceOf(entry)}`} isOpen isWide close={close}>
      <DetailList
        items={[
          ['When', <FullTimestamp key="at" at={at} />],
          ['Who', whoText(who)],
          ['What', <code key="what">{what}</code>],
          [
            'On',
            <span key="subject" className="wrap">
              <Subject entry={entry} /> <code>{subjectId}</code> <Copy text={subjectId} label="the id" />
            </span>,
          ],
        ]}
      />
      {hasChanges ? <Diff changes={changesBetween(before, after)} /> : null}
      {Object.keys(others).length === 0 ? null : <JsonTree value={others} openLevels={3} />}
    </Dialog>
  );
}

// Helpers

/** Settings have the labels of their page; other changes are shown as recorded. */
const SETTING_NAMES: Readonly<Record<string, string>> = {
  toleranceBasisPoints: 'Underpayment tolerance, in hundredths of a percent',
  windowMinutes: 'Payment window in minutes (null: the default of each coin)',
  minConfirmations: 'Minimum confirmations',
  refuseWhenNetworkLags: 'Reject new payments while their network cannot be watched',
  ...NOTICE_LABELS,
  customerLanguage: 'Language of emails to customers',
  logo: 'Logo (id of the image)',
  brandColour: 'Colour',
  recommendedCrypto: 'Recommended coin',
} satisfies Record<Exclude<keyof SettingsValues, 'contactEmail' | 'supportContact'>, string>;

function changesBetween(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): { readonly path: string; readonly before?: unknown; readonly after?: unknown }[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.map((name) => ({
    path: `/${SETTING_NAMES[name] ?? name}`,
    ...(Object.hasOwn(before, name) ? { before: before[name] } : {}),
    ...(Object.hasOwn(after, name) ? { after: after[name] } : {}),
  }));
}
