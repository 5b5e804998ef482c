import { RequestFailure } from '../../../api/request.ts';
import { Link } from '../../../routing/link.tsx';
import { hrefOf } from '../../../routing/paths.ts';
import { Problem } from '../../../ui/problem.tsx';

/** Why an endpoint was not created or changed. For a limit of the plan, links to the plans. */
export function EndpointProblem({ error }: { readonly error: unknown }) {
  if (error === null) return null;
  if (!(error instanceof RequestFailure) || error.code !== 'PLAN_UPGRADE_REQUIRED') return <Problem error={error} />;
  return (
    <div className="problem" role="alert">
      <p>
        Your plan has no room for another endpoint. Delete one that is not used, or{' '}
        <Link href={hrefOf('plan', {})}>choose a larger plan</Link>.
      </p>
    </div>
  );
}
