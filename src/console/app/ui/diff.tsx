import type { PastMoment } from '../../contract/actors.ts';
import { JsonValue } from './json-tree.tsx';

/** Changes by path: the old value, struck out, and the new one. */
export function Diff({ changes }: { readonly changes: PastMoment['changes'] }) {
  if (changes.length === 0) return <p className="soft">Nothing in the context changed.</p>;
  return (
    <ul className="diff">
      {changes.map((change) => (
        <li key={change.path}>
          <code className="diff-path">{change.path.slice(1).replaceAll('/', ' / ') || 'everything'}</code>
          {'before' in change ? (
            <del>
              <JsonValue value={change.before} />
            </del>
          ) : null}
          {'after' in change ? (
            <ins>
              <JsonValue value={change.after} />
            </ins>
          ) : null}
        </li>
      ))}
    </ul>
  );
}
