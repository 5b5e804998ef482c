import { useState } from 'react';
import type { StoredEmailInfo } from '../../../http/console/operator/schemas.ts';
import { useEmail, useEmails } from '../../api/operator.ts';
import { Page } from '../../shell/page.tsx';
import { Await } from '../../ui/await.tsx';
import { DetailList } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/lists/empty-state.tsx';
import type { Column } from '../../ui/lists/table.tsx';
import { FullTimestamp, Timestamp } from '../../ui/values/timestamp.tsx';
import { Dialog } from '../../ui/windows/dialog.tsx';
import { ListCard, openColumn } from '../list-card.tsx';

/** A development inbox: emails that were stored instead of being sent. */
export function EmailsPage() {
  const emails = useEmails();
  const [opened, setOpened] = useState<StoredEmailInfo | null>(null);
  return (
    <Page
      title="Unsent emails"
      about="Emails that were not sent: no mail server was set up, or a test schedule addressed someone who is not a user."
    >
      <ListCard
        query={emails}
        loading="Loading emails"
        lines={8}
        label="Unsent emails"
        rowsOf={({ pages }) => pages.flatMap((page) => page.mails)}
        keyOf={({ id }) => id}
        columns={columnsFor(setOpened)}
        empty={<EmptyState title="No unsent emails">Every email was sent or is being sent.</EmptyState>}
      />
      <Dialog title={opened?.subject ?? 'Email'} isWide isOpen={opened !== null} close={() => setOpened(null)}>
        {opened === null ? null : <Email email={opened} />}
      </Dialog>
    </Page>
  );
}

// Helpers

function columnsFor(open: (email: StoredEmailInfo) => void): readonly Column<StoredEmailInfo>[] {
  return [
    { id: 'at', title: 'When', cell: ({ at }) => <Timestamp at={at} /> },
    { id: 'recipient', title: 'To', isSecondary: true, cell: ({ recipient }) => recipient },
    { id: 'subject', title: 'Subject', isCut: true, cell: ({ subject }) => subject },
    openColumn({ title: 'Content', word: 'Read', label: ({ subject }) => `Read "${subject}"`, open }),
  ];
}

function Email({ email }: { readonly email: StoredEmailInfo }) {
  const full = useEmail(email.id);
  return (
    <>
      <DetailList
        items={[
          ['When', <FullTimestamp key="at" at={email.at} />],
          ['From', email.fromName ?? 'the service'],
          ['To', email.recipient],
        ]}
      />
      <Await query={full} label="Loading the email" lines={6}>
        {({ text }) =>
          text === null ? (
            <p>
              Emails to logins are not shown here, because their links open accounts. On the server,{' '}
              <code>quittance mail show {email.id}</code> prints it.
            </p>
          ) : (
            <pre className="mail-text">
              {linesOf(text).map(({ key, line }) =>
                /^https?:\/\/\S+$/.test(line) ? (
                  <a key={key} href={line} target="_blank" rel="noreferrer">
                    {line}
                    {'\n'}
                  </a>
                ) : (
                  `${line}\n`
                ),
              )}
            </pre>
          )
        }
      </Await>
    </>
  );
}

function linesOf(text: string): readonly { readonly key: string; readonly line: string }[] {
  return text.split('\n').map((line, index) => ({ key: `${index}`, line }));
}
