import { TerminalError } from '../../platform/errors.ts';
import { isRecord } from '../../platform/is-record.ts';
import { directionProblem } from '../../platform/text.ts';

/**
 * Reads fields of parsed JSON and records every error as one sentence that begins with the JSON
 * path. After an error it returns a harmless value, so that later errors are found too.
 */
export interface Reader {
  has(field: string): boolean;
  onlyFields(fields: readonly string[]): void;
  text(field: string, limits: { readonly maxLength: number }): string;
  /** Text that customers see. */
  customerText(field: string, limits: { readonly maxLength: number }): string;
  matching(field: string, pattern: RegExp, expectation: string): string;
  oneOf<T extends string>(field: string, allowed: readonly T[], fallback?: T): T;
  number(
    field: string,
    limits: { readonly min: number; readonly max: number; readonly whole?: boolean },
  ): number | null;
  /** Null when absent. */
  flag(field: string): boolean | null;
  texts(field: string): string[];
  /**
   * The result of `read` for a text; null when absent. `read` throws a `TerminalError` whose
   * message begins with the name of the field.
   */
  read<T>(field: string, maxLength: number, read: (text: string, name: string) => T): T | null;
  object(field: string): Reader;
  list(field: string, options?: { readonly required?: boolean }): Reader[];
}

export function createReader(value: unknown, path: string, errors: string[]): Reader {
  const fields = isRecord(value) ? value : {};
  if (!isRecord(value)) errors.push(`${path}: must be an object`);

  const at = (field: string) => `${path}.${field}`;
  const addError = (field: string, expectation: string) => void errors.push(`${at(field)}: ${expectation}`);

  function text(field: string, maxLength: number): string {
    const found = fields[field];
    if (typeof found !== 'string' || found.trim() === '') addError(field, 'is required and must be a string');
    else if (found.length > maxLength) addError(field, `must have at most ${maxLength} characters`);
    else return found;
    return '';
  }

  return {
    has: (field) => fields[field] !== undefined,
    onlyFields(allowed) {
      for (const field of Object.keys(fields)) {
        if (!allowed.includes(field)) addError(field, `is not a known field; known fields are ${allowed.join(', ')}`);
      }
    },
    text: (field, { maxLength }) => text(field, maxLength),
    customerText(field, { maxLength }) {
      const found = text(field, maxLength);
      const problem = directionProblem(found);
      if (problem !== null) addError(field, problem);
      return found;
    },
    matching(field, pattern, expectation) {
      const found = text(field, 320);
      if (found !== '' && !pattern.test(found)) addError(field, expectation);
      return found;
    },
    oneOf<T extends string>(field: string, allowed: readonly T[], fallback?: T): T {
      const found = fields[field];
      if (found === undefined && fallback !== undefined) return fallback;
      const match = allowed.find((each) => each === found);
      if (match === undefined) addError(field, `must be one of ${allowed.join(', ')}`);
      return match ?? (allowed[0] as T);
    },
    number(field, { min, max, whole = false }) {
      const found = fields[field];
      if (found === undefined || found === null) return null;
      const isFit = typeof found === 'number' && found >= min && found <= max && (!whole || Number.isInteger(found));
      if (!isFit) addError(field, `must be a ${whole ? 'whole ' : ''}number from ${min} to ${max}`);
      return isFit ? found : null;
    },
    flag(field) {
      const found = fields[field];
      if (found === undefined || found === null) return null;
      if (typeof found === 'boolean') return found;
      addError(field, 'must be true or false');
      return null;
    },
    texts(field) {
      const found = fields[field];
      if (Array.isArray(found) && found.length > 0 && found.every((each) => typeof each === 'string')) return found;
      addError(field, 'must be an array of strings with at least one entry');
      return [];
    },
    read(field, maxLength, read) {
      if (fields[field] === undefined || fields[field] === null) return null;
      const found = text(field, maxLength);
      if (found === '') return null;
      try {
        return read(found, field);
      } catch (error) {
        if (!(error instanceof TerminalError)) throw error;
        addError(field, error.message.replace(`${field} `, ''));
        return null;
      }
    },
    object(field) {
      return createReader(fields[field] ?? {}, at(field), errors);
    },
    list(field, { required = false } = {}) {
      const found = fields[field];
      if (found === undefined && !required) return [];
      if (!Array.isArray(found)) {
        addError(field, 'must be an array');
        return [];
      }
      return found.map((each: unknown, index) => createReader(each, `${at(field)}[${index}]`, errors));
    },
  };
}
