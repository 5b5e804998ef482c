import type { MailBounces } from '../../api/index.ts';
import { type BounceDeps, takeBounces } from '../../mail/index.ts';
import type { OutageNotice } from '../../outage-notice.ts';

/** Binds bounce reports to the use case of `mail`. */
export function bindMailBounces(
  { secret, ...deps }: BounceDeps & { readonly secret: string | null },
  { watch }: Pick<OutageNotice, 'watch'>,
): MailBounces {
  return { secret, take: (report) => watch(() => takeBounces(deps, report)) };
}
