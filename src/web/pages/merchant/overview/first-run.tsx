import type { FirstRun, Overview } from '../../../../http/console/merchant/overview/schemas.ts';
import { preferenceStore, usePreference } from '../../../state/preferences.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { type FirstStep, firstStepsOf, isSetUp } from './first-steps.ts';
import { StepBody } from './step-body.tsx';

interface FirstRunProps {
  readonly overview: Overview;
  readonly isOwner: boolean;
}

/**
 * The steps from an empty account to the first payment. Once complete, the list can be hidden; it
 * returns when a step is undone.
 */
export function FirstRunCard({ overview, isOwner }: FirstRunProps) {
  const { firstRun } = overview;
  const isPutAway = usePreference('hasPutAwayFirstSteps');
  const isDone = isSetUp(firstRun);
  if (isDone && isPutAway) return null;
  const steps = firstStepsOf(firstRun);
  const doneCount = steps.filter(({ state }) => state === 'done').length;
  return (
    <Card
      className="first-run"
      title={isDone ? 'You are set up' : 'First steps'}
      actions={
        <span className="button-row">
          <span className="soft number">
            {doneCount} of {steps.length} done
          </span>
          {isDone ? (
            <Button variant="quiet" onClick={() => preferenceStore.trigger.firstStepsPutAway()}>
              Dismiss
            </Button>
          ) : null}
        </span>
      }
    >
      <ol className="first-steps">
        {steps.map((step, index) => (
          <Step key={step.id} step={step} index={index} overview={overview} isOwner={isOwner} />
        ))}
      </ol>
    </Card>
  );
}

// Helpers

interface StepProps extends FirstRunProps {
  readonly step: FirstStep;
  readonly index: number;
}

const STATE_WORDS = { done: 'done', next: 'next', later: 'later' } as const;

function Step({ step, index, overview, isOwner }: StepProps) {
  const { state, title, why } = step;
  return (
    <li className={`first-step step-${state}`} aria-current={state === 'next' ? 'step' : undefined}>
      <span className="step-number" aria-hidden="true">
        {state === 'done' ? '✓' : index + 1}
      </span>
      {/* Opens when it becomes the next step; until then it stays as the user left it. */}
      <details key={state} open={state === 'next'} className="step-details">
        <summary>
          <span className="step-title">{title}</span>
          <Badge tone={state === 'done' ? 'good' : state === 'next' ? 'info' : 'quiet'}>{STATE_WORDS[state]}</Badge>
          {doubtOf(step, overview.firstRun)}
        </summary>
        <div className="step-body">
          <p className="soft">{why}</p>
          <StepBody step={step} overview={overview} isOwner={isOwner} />
        </div>
      </details>
    </li>
  );
}

/** A badge with the missing half of a step, to explain why the step is not done. */
function doubtOf({ id, state }: FirstStep, { hasEndpoint, openTestPayment }: FirstRun) {
  if (state === 'done') return null;
  if (id === 'endpoint' && hasEndpoint) return <Badge tone="warn">test event missing</Badge>;
  if (id === 'testPayment' && openTestPayment !== null) return <Badge tone="warn">not paid yet</Badge>;
  return null;
}
