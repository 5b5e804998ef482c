import { Copy } from './copy.tsx';

interface SnippetProps {
  /** What it is, for whoever copies it without seeing it. */
  readonly label: string;
  readonly children: string;
}

/** Text to be copied as it is. It breaks lines where it must and never scrolls sideways. */
export function Snippet({ label, children }: SnippetProps) {
  return (
    <div className="snippet">
      <pre className="snippet-text">{children}</pre>
      <Copy text={children} label={label} />
    </div>
  );
}
