import { useState } from 'react';
import type { ActorFilter } from '../../../../http/console/operator/schemas.ts';
import { useActor, useActors, useStageRun } from '../../../api/operator.ts';
import { toast } from '../../../state/toasts.ts';
import { Await } from '../../../ui/await.tsx';
import { Form } from '../../../ui/forms/form.tsx';
import { EmptyState } from '../../../ui/lists/empty-state.tsx';
import { EventChoice } from '../actor/event-choice.tsx';
import { EventFields, type FieldValues } from '../actor/event-fields.tsx';
import { filterWords } from '../actors/actor-filter.ts';
import { ReasonField } from '../reason-field.tsx';

interface PlanRunProps {
  readonly filter: ActorFilter;
  close(): void;
}

/**
 * Plans a run for the actors that match a filter. The events on offer are those that have an effect
 * on the first actor.
 */
export function PlanRun({ filter, close }: PlanRunProps) {
  const actors = useActors(filter);
  return (
    <>
      <p>
        For <strong>{filterWords(filter)}</strong>
      </p>
      <Await query={actors} label="Loading actors">
        {({ pages }) => {
          const first = pages[0]?.actors[0];
          if (first === undefined) return <EmptyState title="Nothing matches" />;
          return <PlanForm filter={filter} total={pages[0]?.total ?? 0} sample={first.id} close={close} />;
        }}
      </Await>
    </>
  );
}

// Helpers

interface PlanFormProps extends PlanRunProps {
  readonly total: number;
  /** Id of an actor that will receive the event. */
  readonly sample: string;
}

function PlanForm({ filter, total, sample, close }: PlanFormProps) {
  const actor = useActor(sample);
  const stage = useStageRun();
  const [type, setType] = useState('');
  const [fields, setFields] = useState<FieldValues>({});
  const [reason, setReason] = useState('');
  const [requestId] = useState(() => crypto.randomUUID());
  const accepts = actor.data?.accepts ?? [];
  const submit = () =>
    stage.mutate(
      { task: { what: 'send_event', type, fields }, filter, reason: reason.trim(), requestId },
      {
        onSuccess: (run) => {
          toast(`Planned for ${run.total.toLocaleString('en')} actors. Nothing is sent until you start it.`);
          close();
        },
      },
    );
  return (
    <Await query={actor} label="Loading accepted events">
      {() => (
        <Form
          work={stage}
          action={`Plan for ${total.toLocaleString('en')}`}
          isDisabled={type === '' || reason.trim() === ''}
          submit={submit}
          close={close}
        >
          <EventChoice
            events={accepts}
            value={type}
            onlyEnabled
            change={(next) => {
              setType(next);
              setFields({});
            }}
          />
          <EventFields
            schema={accepts.find((one) => one.type === type)?.fields ?? null}
            values={fields}
            change={setFields}
          />
          <ReasonField
            hint="Recorded with your name in the journal of every actor."
            value={reason}
            change={setReason}
          />
        </Form>
      )}
    </Await>
  );
}
