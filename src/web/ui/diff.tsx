import type { StepDetail } from '../../http/console/operator/schemas.ts';
import { JsonTree, KnownValue } from './json-tree.tsx';

/** Changes by path: the old value, struck out, and the new one. */
export function Diff({ changes }: { readonly changes: StepDetail['changes'] }) {
  if (changes.length === 0) return <p className="soft">Nothing in the context changed.</p>;
  return (
    <ul className="diff">
      {changes.map((change) => {
        const path = namesIn(change.path);
        return (
          <li key={change.path}>
            <code className="diff-path">{path.join(' / ') || 'everything'}</code>
            {'before' in change ? (
              <del>
                <Value value={change.before} path={path} />
              </del>
            ) : null}
            {'after' in change ? (
              <ins>
                <Value value={change.after} path={path} />
              </ins>
            ) : null}
          </li>
        );
      })}
    </ul>
  );
}

// Helpers

function Value({ value, path }: { readonly value: unknown; readonly path: readonly string[] }) {
  const isBranch = typeof value === 'object' && value !== null;
  return isBranch ? <JsonTree value={value} path={path} openLevels={2} /> : <KnownValue value={value} path={path} />;
}

/** The names in a JSON Pointer (RFC 6901). */
function namesIn(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
}
