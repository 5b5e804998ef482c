import { Link } from '../../routing/link.tsx';
import { Copy } from '../copy.tsx';
import { shortIdText } from './short-id-text.ts';

interface ShortIdProps {
  readonly id: string;
  /** The page of what the id names, if there is one. */
  readonly href?: string | undefined;
}

/** An id in a list: a long one is shortened in its middle. The button copies all of it. */
export function ShortId({ id, href }: ShortIdProps) {
  const text = shortIdText(id);
  return (
    <span className="short-id">
      {href === undefined ? (
        <span className="mono" title={id}>
          {text}
        </span>
      ) : (
        <Link href={href} className="mono" title={id}>
          {text}
        </Link>
      )}
      <Copy text={id} label={`the id ${text}`} />
    </span>
  );
}
