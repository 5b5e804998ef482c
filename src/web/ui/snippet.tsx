import { Copy } from './copy.tsx';

interface SnippetProps {
  /** Label of the copy button, for screen readers. */
  readonly label: string;
  readonly children: string;
}

/** Text to copy. Wraps lines where necessary and never scrolls horizontally. */
export function Snippet({ label, children }: SnippetProps) {
  return (
    <div className="snippet">
      <pre className="snippet-text">{children}</pre>
      <Copy text={children} label={label} />
    </div>
  );
}
