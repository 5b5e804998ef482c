import type { StepDetail } from '../../../http/console/operator/schemas.ts';
import { JsonTree, KnownValue } from './json-tree.tsx';
import { readableValueOf } from './readable-value.ts';

/** Changes by path: the old value, struck out, and the new one. */
export function Diff({ changes }: { readonly changes: StepDetail['changes'] }) {
  if (changes.length === 0) return <p className="soft">Nothing in the context changed.</p>;
  return (
    <ul className="diff">
      {changes.map((change) => {
        const path = namesIn(change.path);
        const isExact = looksUnchanged(change, path);
        return (
          <li key={change.path}>
            <code className="diff-path">{path.join(' / ') || 'everything'}</code>
            {'before' in change ? (
              <del>
                <Value value={change.before} path={path} isExact={isExact} />
              </del>
            ) : null}
            {'after' in change ? (
              <ins>
                <Value value={change.after} path={path} isExact={isExact} />
              </ins>
            ) : null}
          </li>
        );
      })}
    </ul>
  );
}

// Helpers

type Change = StepDetail['changes'][number];

/** Whether both values read the same, because they differ by less than a second. */
function looksUnchanged({ before, after }: Change, path: readonly string[]): boolean {
  const text = readableValueOf(path, before, null)?.text;
  return text !== undefined && text === readableValueOf(path, after, null)?.text;
}

interface ValueProps {
  readonly value: unknown;
  readonly path: readonly string[];
  readonly isExact: boolean;
}

function Value({ value, path, isExact }: ValueProps) {
  const isBranch = typeof value === 'object' && value !== null;
  if (isBranch) return <JsonTree value={value} path={path} openLevels={2} />;
  if (isExact && typeof value === 'number') return <span>{exactText(value, path)}</span>;
  return <KnownValue value={value} path={path} />;
}

/** A time or a duration to the millisecond. */
function exactText(value: number, path: readonly string[]): string {
  if (path.at(-1)?.endsWith('Ms') === true) return `${value.toLocaleString('en')} ms`;
  return new Date(value).toISOString().replace('T', ' ').replace('Z', ' UTC');
}

/** The names in a JSON Pointer (RFC 6901). */
function namesIn(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
}
