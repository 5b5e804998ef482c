import '../../../styles/audit.css';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import type { AuditEntryInfo, AuditList, AuditSubjectKind } from '../../../../http/console/merchant/audit/schemas.ts';
import { nextCursor, readPages } from '../../../api/queries.ts';
import { useSearchParams, useSetSearchParams } from '../../../routing/router.ts';
import { Page } from '../../../shell/page.tsx';
import { Button } from '../../../ui/button.tsx';
import { SelectField, TextField } from '../../../ui/forms/field.tsx';
import { EmptyState } from '../../../ui/lists/empty-state.tsx';
import type { Column } from '../../../ui/lists/table.tsx';
import { dayOf } from '../../../ui/values/time-text.ts';
import { Timestamp } from '../../../ui/values/timestamp.tsx';
import { ListCard, openColumn } from '../../list-card.tsx';
import { EntryDialog } from './entry-dialog.tsx';
import { KIND_NAMES, sentenceOf, whoText } from './sentences.ts';
import { Subject } from './subject.tsx';

export function AuditPage() {
  const query = useSearchParams();
  const setQuery = useSetSearchParams();
  const [what, from] = [kindOf(query.get('what')), dayOf(query.get('from'))];
  const audit = useAudit({ what: what ?? undefined, from: from ?? undefined });
  const openedId = query.get('entry');
  const opened = audit.data?.pages.flatMap(({ entries }) => entries).find(({ id }) => String(id) === openedId);
  return (
    <Page title="Audit log" about="Actions in this account. Entries cannot be changed or deleted.">
      <search className="audit-filter">
        <SelectField
          label="About"
          value={what ?? ''}
          onChange={(event) => setQuery({ what: event.target.value, entry: undefined })}
        >
          <option value="">everything</option>
          {KINDS.map((kind) => (
            <option key={kind} value={kind}>
              {KIND_NAMES[kind]}
            </option>
          ))}
        </SelectField>
        <TextField
          label="Since (UTC)"
          type="date"
          value={query.get('from') ?? ''}
          onChange={(event) => setQuery({ from: event.target.value, entry: undefined }, { replaces: true })}
        />
      </search>
      <ListCard
        query={audit}
        loading="Loading the audit log"
        lines={8}
        label="Audit log"
        className="audit-log"
        asCards
        rowsOf={({ pages }) => pages.flatMap((page) => page.entries)}
        keyOf={({ id }) => String(id)}
        columns={columnsFor((id) => setQuery({ entry: id }))}
        empty={
          <EmptyState title="No entries">
            {what === null && from === null ? (
              'Changes that you and your colleagues make appear here.'
            ) : (
              <Button onClick={() => setQuery({ what: undefined, from: undefined })}>Show everything</Button>
            )}
          </EmptyState>
        }
      />
      {opened === undefined ? null : <EntryDialog entry={opened} close={() => setQuery({ entry: undefined })} />}
    </Page>
  );
}

// Helpers

const KINDS = Object.keys(KIND_NAMES) as AuditSubjectKind[];

function kindOf(text: string | null): AuditSubjectKind | null {
  return KINDS.find((kind) => kind === text) ?? null;
}

function columnsFor(open: (id: number) => void): readonly Column<AuditEntryInfo>[] {
  return [
    { id: 'at', title: 'When', cell: ({ at }) => <Timestamp at={at} /> },
    { id: 'who', title: 'Who', isSecondary: true, isOnCard: true, cell: ({ who }) => whoText(who) },
    {
      id: 'what',
      title: 'What',
      isCut: true,
      cell: (entry) => <span title={whoText(entry.who)}>{sentenceOf(entry)}</span>,
    },
    { id: 'subject', title: 'To what', isOnCard: true, cell: (entry) => <Subject entry={entry} /> },
    openColumn({
      title: 'Details',
      label: (entry) => `View: ${whoText(entry.who)} ${sentenceOf(entry)}`,
      open: ({ id }) => open(id),
    }),
  ];
}

const ENTRIES_PER_PAGE = 100;

function useAudit(filter: { readonly what: AuditSubjectKind | undefined; readonly from: number | undefined }) {
  return useInfiniteQuery({
    ...readPages<AuditList>('/merchant/audit', { ...filter, limit: ENTRIES_PER_PAGE }, nextCursor),
    placeholderData: keepPreviousData,
  });
}
