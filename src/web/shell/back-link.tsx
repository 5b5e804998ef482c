import { Link } from '../routing/link.tsx';
import { BackIcon } from '../ui/icons.tsx';

interface BackLinkProps {
  readonly href: string;
  /** The list it leads back to, like `All payments`. */
  readonly label: string;
}

/** Before the heading of a page about one object: leads back to its list. */
export function BackLink({ href, label }: BackLinkProps) {
  return (
    <Link href={href} className="button button-quiet button-icon" aria-label={label} title={label}>
      <BackIcon />
    </Link>
  );
}
