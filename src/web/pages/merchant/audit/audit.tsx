import '../../../styles/audit.css';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import type { AuditEntryInfo, AuditList, AuditSubjectKind } from '../../../../http/console/merchant/audit/schemas.ts';
import { nextCursor, readPages } from '../../../api/queries.ts';
import { useSearchParams, useSetSearchParams } from '../../../routing/router.ts';
import { Page } from '../../../shell/page.tsx';
import { Await } from '../../../ui/await.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { type Column, Table } from '../../../ui/table.tsx';
import { dayOf } from '../../../ui/time-text.ts';
import { Timestamp } from '../../../ui/timestamp.tsx';
import { EntryDialog } from './entry-dialog.tsx';
import { KIND_NAMES, sentenceOf, whoText } from './sentences.ts';
import { Subject } from './subject.tsx';

/** The merchant's audit log. */
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
      <Await query={audit} label="Loading the audit log" lines={8}>
        {({ pages }) => (
          <Card className="card-flush audit-log">
            {pages[0]?.entries.length === 0 ? (
              <EmptyState title="No entries">
                {what === null && from === null ? (
                  'Changes that you and your colleagues make appear here.'
                ) : (
                  <Button onClick={() => setQuery({ what: undefined, from: undefined })}>Show everything</Button>
                )}
              </EmptyState>
            ) : (
              <Table
                label="Audit log"
                rows={pages.flatMap((page) => page.entries)}
                keyOf={({ id }) => String(id)}
                columns={columnsFor((id) => setQuery({ entry: id }))}
                asCards
                more={audit}
              />
            )}
          </Card>
        )}
      </Await>
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
    {
      id: 'open',
      opensRow: true,
      title: 'Details',
      isNumber: true,
      cell: (entry) => (
        <Button
          variant="quiet"
          aria-label={`View: ${whoText(entry.who)} ${sentenceOf(entry)}`}
          onClick={() => open(entry.id)}
        >
          View
        </Button>
      ),
    },
  ];
}

const ENTRIES_PER_PAGE = 100;

function useAudit(filter: { readonly what: AuditSubjectKind | undefined; readonly from: number | undefined }) {
  return useInfiniteQuery({
    ...readPages<AuditList>('/merchant/audit', { ...filter, limit: ENTRIES_PER_PAGE }, nextCursor),
    placeholderData: keepPreviousData,
  });
}
