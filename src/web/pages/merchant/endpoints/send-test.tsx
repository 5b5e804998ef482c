import { useEffect, useState } from 'react';
import type { DeliveryDetail, EndpointInfo } from '../../../../http/console/merchant/endpoints/schemas.ts';
import { useDelivery, useSendTest } from '../../../api/endpoints.ts';
import { refresh } from '../../../api/queries.ts';
import { useSetSearchParams } from '../../../routing/router.ts';
import { Await } from '../../../ui/await.tsx';
import { Button } from '../../../ui/button.tsx';
import { SelectField } from '../../../ui/forms/field.tsx';
import { Form } from '../../../ui/forms/form.tsx';
import { TickIcon, WarnIcon } from '../../../ui/icons.tsx';
import { Countdown } from '../../../ui/values/timestamp.tsx';
import { eventMeaning, failureWords, USUAL_TEST_EVENT } from './labels.ts';

interface SendTestProps {
  readonly endpoint: EndpointInfo;
  readonly eventTypes: readonly string[];
  close(): void;
}

/** Sends a test event and shows the server's response. */
export function SendTest({ endpoint, eventTypes, close }: SendTestProps) {
  const send = useSendTest(endpoint.id);
  const [event, setEvent] = useState(USUAL_TEST_EVENT);
  const submit = () => send.mutate(event);
  return (
    <Form
      work={send}
      action={send.data === undefined ? 'Send test event' : 'Send another'}
      variant={send.data === undefined ? 'main' : 'plain'}
      cancel="Close"
      submit={submit}
      close={close}
    >
      <p className="wrap">
        A sample event is posted to <code>{endpoint.url}</code>, signed like a real one and marked as a test. No payment
        is affected.
      </p>
      <SelectField
        label="Event"
        hint={eventMeaning(event)}
        value={event}
        onChange={(changed) => setEvent(changed.target.value)}
      >
        {eventTypes.map((type) => (
          <option key={type}>{type}</option>
        ))}
      </SelectField>
      {send.data === undefined ? null : (
        <TestResult key={send.data.deliveryId} id={send.data.deliveryId} close={close} />
      )}
    </Form>
  );
}

// Helpers

function TestResult({ id, close }: { readonly id: string; close(): void }) {
  const delivery = useDelivery(id);
  const setQuery = useSetSearchParams();
  const attempts = delivery.data?.attempts.length ?? 0;
  // Refresh the page behind the dialog, which also shows it, even with live updates switched off.
  useEffect(() => {
    if (attempts > 0) void refresh('/merchant/webhooks', '/merchant/overview');
  }, [attempts]);
  return (
    <div role="status">
      <Await query={delivery} label="Sending" lines={1}>
        {(data) => (
          <div className="form">
            <Outcome delivery={data} />
            {data.attempts.length === 0 ? null : (
              <div className="button-row">
                <Button
                  onClick={() => {
                    close();
                    setQuery({ delivery: id });
                  }}
                >
                  View request and response
                </Button>
              </div>
            )}
          </div>
        )}
      </Await>
    </div>
  );
}

function Outcome({ delivery }: { readonly delivery: DeliveryDetail }) {
  const last = delivery.attempts.at(-1);
  if (last === undefined || (delivery.state === 'sending' && last.failure !== null)) {
    return <p className="notice notice-info">Sending to your server…</p>;
  }
  if (last.failure === null) {
    return (
      <div className="notice notice-good">
        <TickIcon />
        <p>
          Your server accepted it: it responded {last.status} after {last.durationMs.toLocaleString('en')} ms.
        </p>
      </div>
    );
  }
  return (
    <div className="problem">
      <WarnIcon />
      <p className="wrap">
        {failureWords(last.failure, last.status)}.{' '}
        {delivery.nextAttemptAt === null ? null : (
          <>
            It is retried <Countdown at={delivery.nextAttemptAt} />.
          </>
        )}
      </p>
    </div>
  );
}
