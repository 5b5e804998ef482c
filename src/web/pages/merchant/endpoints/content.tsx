import { JsonTree } from '../../../ui/json-tree.tsx';
import { Snippet } from '../../../ui/snippet.tsx';

/** The body of every attempt: formatted, and byte for byte as it is signed. */
export function Content({ body }: { readonly body: string }) {
  const value = parsed(body);
  return (
    <div className="columns-2">
      {value === undefined ? null : (
        <div className="stack">
          <h3>Formatted</h3>
          <JsonTree value={value} openLevels={3} />
        </div>
      )}
      <div className="stack">
        <h3>Exactly what is sent and signed ({new TextEncoder().encode(body).length.toLocaleString('en')} bytes)</h3>
        <Snippet label="the exact content">{body}</Snippet>
      </div>
    </div>
  );
}

// Helpers

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
