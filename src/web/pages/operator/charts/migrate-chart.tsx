import type { MigrationDraft, MigrationPreview } from '../../../../http/console/operator/chart-activity-schemas.ts';
import { useMigrate, useMigrationPreview } from '../../../api/chart-activity.ts';
import { hrefOf } from '../../../routing/paths.ts';
import { toastAndClose } from '../../../state/toasts.ts';
import { Await } from '../../../ui/await.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { ShortId } from '../../../ui/values/short-id.tsx';
import { countText } from '../../../ui/values/word-text.ts';
import { ReasonForm } from '../reason-field.tsx';

interface MigrateChartProps {
  readonly kind: string;
  readonly draft: MigrationDraft;
  readonly mayAct: boolean;
  close(): void;
}

/** What a migration would change, and then the migration itself with a reason. */
export function MigrateChart(props: MigrateChartProps) {
  const preview = useMigrationPreview(props.kind, props.draft);
  return (
    <Await query={preview} label="Checking every unfinished actor" lines={4}>
      {(found) => (
        <>
          <Found preview={found} />
          {props.mayAct && found.states.length > 0 ? (
            <Start key={found.fingerprint} {...props} preview={found} />
          ) : null}
        </>
      )}
    </Await>
  );
}

// Helpers

function Found({ preview: { states, findings } }: { readonly preview: MigrationPreview }) {
  if (states.length === 0) return <p>No unfinished actor runs this version.</p>;
  const total = (outcome: 'same' | 'differs' | 'fails') => states.reduce((sum, state) => sum + state[outcome], 0);
  return (
    <>
      <p>
        {total('same').toLocaleString('en')} actors migrate without a difference,{' '}
        {total('differs').toLocaleString('en')} with the differences below. {total('fails').toLocaleString('en')} cannot
        be migrated and do not change.
      </p>
      {findings.length === 0 ? null : (
        <ul className="lines">
          {findings.map(({ what, isFailure, actors, examples }) => (
            <li key={what} className="line">
              <div className="line-main">
                <p className="wrap">
                  <Badge tone={isFailure ? 'bad' : 'warn'}>{isFailure ? 'fails' : 'differs'}</Badge> {what}
                </p>
                <p className="soft">
                  {countText(actors, 'actor')}, for example{' '}
                  {examples.map((id, index) => (
                    <span key={id}>
                      {index === 0 ? '' : ', '}
                      <ShortId id={id} href={hrefOf('actor', { id })} />
                    </span>
                  ))}
                </p>
              </div>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function Start({ kind, draft, preview, close }: MigrateChartProps & { readonly preview: MigrationPreview }) {
  const migrate = useMigrate(kind);
  return (
    <ReasonForm
      work={migrate}
      action="Migrate"
      hint="Recorded with your name in the operator log and each actor’s journal."
      submit={(recorded) =>
        migrate.mutate(
          { ...draft, fingerprint: preview.fingerprint, ...recorded },
          toastAndClose(`Migrated to version ${draft.to}. See the operator log for the counts.`, close),
        )
      }
      close={close}
    />
  );
}
