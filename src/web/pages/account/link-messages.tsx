import type { ReactNode } from 'react';
import { RequestFailure } from '../../api/request.ts';

/** Whether the server does not accept the token of a link any more. */
export function isUsedUp(error: Error | null): boolean {
  return error instanceof RequestFailure && error.code === 'INVALID_LINK';
}

/** In place of the form of such a link; the children say how to get a new one. */
export function UsedLink({ children }: { readonly children?: ReactNode }) {
  return (
    <>
      <p role="status">This link has been used or has expired.</p>
      {children}
    </>
  );
}

/** Why a link cannot be requested here; the children say what the operator can do. */
export function NoEmails({ children }: { readonly children: ReactNode }) {
  return <p role="status">{children}</p>;
}
