import { randomUUID } from 'node:crypto';
import { TerminalError } from '../../errors.ts';
import type { DeadLetterRequest, EventRequest, RunPlan, RunTask } from '../../operations/index.ts';
import { type Query, readFilter, readWhole, requireKnown, requireText } from './read-query.ts';
import { requestId } from './request-id.ts';

type Draft = Pick<EventRequest, 'type' | 'fields' | 'reason'>;

/** A preview needs no reason and no request id. */
export function readDraft(body: unknown): Draft {
  const given = requireObject(body, 'body');
  requireKnown(given, ['type', 'fields', 'reason', 'seenSequence', 'requestId']);
  return {
    type: requireText(given, 'type'),
    fields: readFields(given),
    reason: readReason(given) ?? 'Not said yet',
  };
}

export function readEventRequest(body: unknown): EventRequest {
  const given = requireObject(body, 'body');
  requireKnown(given, ['type', 'fields', 'reason', 'seenSequence', 'requestId']);
  const seenSequence = readWhole(given, 'seenSequence', Number.MAX_SAFE_INTEGER);
  if (seenSequence === null) throw invalid('seenSequence', 'is missing: send the step you were looking at');
  return {
    type: requireText(given, 'type'),
    fields: readFields(given),
    reason: requireReason(given),
    seenSequence,
    requestId: requireRequestId(given),
  };
}

/** Without a request id every request creates a new run. */
export function readRunPlan(body: unknown): RunPlan {
  const given = requireObject(body, 'body');
  requireKnown(given, ['task', 'filter', 'reason', 'requestId']);
  const task = readTask(requireObject(given.task, 'task'));
  const isFiltered = given.filter !== undefined && given.filter !== null;
  const request = () => ({
    reason: requireReason(given),
    requestId: given.requestId === undefined ? randomUUID() : requireRequestId(given),
  });
  if (task.what === 'retry_dead_letter') {
    if (isFiltered) throw invalid('filter', 'is for events; name the queue of dead letters in task.queue');
    return { task, filter: null, ...request() };
  }
  if (!isFiltered) throw invalid('filter', 'is missing: say which actors get the event');
  return { task, filter: readFilter(requireObject(given.filter, 'filter')), ...request() };
}

export function readDeadLetterRequest(body: unknown): Omit<DeadLetterRequest, 'what'> {
  const given = requireObject(body, 'body');
  requireKnown(given, ['reason', 'requestId']);
  return { reason: requireReason(given), requestId: requireRequestId(given) };
}

// Helpers

/** Checks only that it is text; the feature checks length and characters. */
function readReason(given: Query): string | null {
  const { reason } = given;
  if (reason === undefined || reason === null || reason === '') return null;
  if (typeof reason === 'string') return reason;
  throw invalid('reason', 'must be text');
}

function requireReason(given: Query): string {
  const reason = readReason(given);
  if (reason === null) throw invalid('reason', 'is missing: say why');
  return reason;
}

function readTask(given: Query): RunTask {
  if (given.what === 'retry_dead_letter') {
    requireKnown(given, ['what', 'queue']);
    return { what: 'retry_dead_letter', ...(given.queue === undefined ? {} : { queue: requireText(given, 'queue') }) };
  }
  if (given.what !== 'send_event') throw invalid('task.what', 'must be one of send_event, retry_dead_letter');
  requireKnown(given, ['what', 'type', 'fields']);
  return { what: 'send_event', type: requireText(given, 'type'), fields: readFields(given) };
}

function requireRequestId(given: Query): string {
  return requestId(given.requestId, 'requestId');
}

function readFields(given: Query): Query {
  return given.fields === undefined || given.fields === null ? {} : requireObject(given.fields, 'fields');
}

function requireObject(value: unknown, name: string): Query {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Query;
  throw invalid(name, 'must be a JSON object');
}

function invalid(name: string, problem: string): TerminalError {
  return new TerminalError('INVALID_REQUEST', `${name} ${problem}`, { field: name });
}
