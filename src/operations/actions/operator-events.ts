import { type TObject, Type } from 'typebox';
import { Check, Errors } from 'typebox/value';
import {
  ASSETS,
  deliveryMachine,
  scheduleMachine,
  type TransactionContext,
  transactionMachine,
} from '../../../machines/index.ts';
import { TerminalError } from '../../platform/errors.ts';
import { isPrintable } from '../../platform/text.ts';

/**
 * An event that operators may send to actors of one kind. Every one is defined in the chart;
 * none sets a state directly.
 */
export interface OperatorEvent {
  readonly type: string;
  readonly label: string;
  /** Fields to fill in besides the reason; null for none. */
  readonly fields: TObject | null;
  /** Example fields, to check whether the chart would accept the event. */
  readonly sample: Readonly<Record<string, unknown>>;
  /** Why it is not for the actor with this context; null when it is. If absent, it always is. */
  readonly notFor?: (context: unknown) => string | null;
}

/**
 * Events that operators may send, by kind. Deliberately excluded: what only a chain can
 * report (received coins), what only a clock can (timers), and what only the customer may
 * do (consent to a schedule).
 */
const OPERATOR_EVENTS: Readonly<Record<string, readonly OperatorEvent[]>> = {
  [transactionMachine.id]: [
    simple('merchant.marked_paid', 'Mark as paid'),
    simple('merchant.dismissed', 'Dismiss the late coins'),
    simple('merchant.confirmed', 'Confirm: the coins are there'),
    simple('merchant.rejected', 'Reject: the coins are gone'),
    {
      type: 'chain.balance_dropped',
      label: 'Pause the clock and put under review',
      fields: Type.Object(
        {
          missingBaseUnits: Type.String({
            title: 'Missing amount',
            description: 'In base units of the coin, such as satoshi or wei: a whole number above zero.',
            pattern: '^[1-9][0-9]{0,77}$',
          }),
        },
        { additionalProperties: false },
      ),
      sample: { missingBaseUnits: '1' },
      notFor: whyNoBalanceDrop,
    },
  ],
  [deliveryMachine.id]: [simple('merchant.redelivery_requested', 'Try again now')],
  [scheduleMachine.id]: [
    simple('merchant.paused', 'Pause'),
    simple('merchant.resumed', 'Resume'),
    simple('merchant.cancelled', 'Cancel'),
    simple('merchant.confirmation_resent', 'Resend the confirmation request'),
    simple('customer.stopped', 'Stop on behalf of the customer'),
    simple('mail.bounced', 'The mailbox does not exist'),
  ],
};

/** The events an operator may send to actors of this kind. */
export function operatorEventsOf(kind: string): readonly OperatorEvent[] {
  return Object.hasOwn(OPERATOR_EVENTS, kind) ? (OPERATOR_EVENTS[kind] ?? []) : [];
}

/** Longest reason that is stored. */
const MAX_REASON_CHARACTERS = 500;

/**
 * The event as delivered to an actor: its fields, operator and reason. Without `context` it is for
 * many actors. Throws `EVENT_NOT_OFFERED`, `INVALID_FIELDS` naming the field, and `INVALID_REASON`.
 */
export function buildOperatorEvent(
  { kind, context }: { readonly kind: string; readonly context?: unknown },
  request: { readonly type: string; readonly fields: Readonly<Record<string, unknown>>; readonly reason: string },
  by: string,
): { readonly type: string; readonly [field: string]: unknown } {
  const offered = operatorEventsOf(kind);
  const found = offered.find(({ type }) => type === request.type);
  if (found === undefined) {
    const choice =
      offered.length === 0 ? 'it accepts none' : `choose from ${offered.map(({ type }) => type).join(', ')}`;
    const message = `Operators cannot send "${request.type}" to a ${kind}; ${choice}`;
    throw new TerminalError('EVENT_NOT_OFFERED', message, { field: 'type' });
  }
  const whyNot = context === undefined ? null : (found.notFor?.(context) ?? null);
  if (whyNot !== null) {
    throw new TerminalError('EVENT_NOT_OFFERED', `Operators cannot send "${request.type}" here: ${whyNot}`, {
      field: 'type',
    });
  }
  requireFields(found, request.fields);
  const reason = requireReason(request.reason);
  return { ...request.fields, type: found.type, by, reason };
}

/** The trimmed reason. Throws `INVALID_REASON` when it is empty, too long, or not storable. */
export function requireReason(reason: string): string {
  const text = reason.trim();
  if (text !== '' && text.length <= MAX_REASON_CHARACTERS && isPrintable(text)) return text;
  const message = `reason must have 1 to ${MAX_REASON_CHARACTERS} characters and no control characters`;
  throw new TerminalError('INVALID_REASON', message, { field: 'reason' });
}

// Helpers

function simple(type: string, label: string): OperatorEvent {
  return { type, label, fields: null, sample: {} };
}

/** Only accounts have a balance that coins can leave unseen; outputs are spent by transactions. */
function whyNoBalanceDrop(context: unknown): string | null {
  // May be damaged: such actors are shown too.
  const { crypto } = context as Partial<TransactionContext>;
  if (crypto === undefined || ASSETS[crypto]?.family === 'evm') return null;
  return `${crypto} has no account balance that can drop`;
}

function requireFields({ type, fields }: OperatorEvent, given: Readonly<Record<string, unknown>>): void {
  if (fields === null) {
    const [extra] = Object.keys(given);
    if (extra === undefined) return;
    throw new TerminalError('INVALID_FIELDS', `fields.${extra} is unknown: "${type}" has no fields`, {
      field: `fields.${extra}`,
    });
  }
  if (Check(fields, given)) return;
  const [problem] = Errors(fields, given);
  const field = `fields${(problem?.instancePath ?? '').replaceAll('/', '.')}`;
  throw new TerminalError('INVALID_FIELDS', `${field} ${problem?.message ?? 'is not valid'}`, { field });
}
