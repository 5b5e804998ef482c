import type { RequestDescription } from './operations.ts';

/** Number of responses of each operation by status. */
export interface Coverage {
  count(operation: string, status: number): void;
  /** The table of responses when a declared status of an operation never occurred; else null. */
  gaps(): string | null;
  table(): string;
}

/** Why a declared status need not occur here: by operation and status. */
const NOT_MET: Readonly<Record<string, string>> = {
  'GET /health 429': 'the limits of requests without key are generous, for all of them come from one machine',
  'GET /health/details 429': 'likewise',
  'GET /pay 429': 'likewise',
  'GET /health/details 404': 'it exists, for the operator has set a token',
};

export function createCoverage(operations: readonly RequestDescription[]): Coverage {
  const counts = new Map<string, number>();
  const countOf = (name: string, status: number) => counts.get(`${name} ${status}`) ?? 0;

  function table(): string {
    const rows = operations.map(({ name, statuses }) => {
      const cells = statuses.map((status) => `${status}: ${countOf(name, status)}`.padEnd(11));
      return `  ${name.padEnd(56)}${cells.join('')}`;
    });
    return rows.join('\n');
  }

  return {
    table,
    count(operation, status) {
      counts.set(`${operation} ${status}`, countOf(operation, status) + 1);
    },
    gaps() {
      const missing = operations.flatMap((operation) =>
        operation.statuses
          .filter((status) => status < 500 && isExpected(operation, status) && countOf(operation.name, status) === 0)
          .map((status) => `${operation.name} was never answered ${status}`),
      );
      return missing.length === 0 ? null : `${missing.join('\n')}\n\n${table()}`;
    },
  };
}

// Helpers

function isExpected({ name, parameters, body }: RequestDescription, status: number): boolean {
  // Without parameters or a body, only the HTTP layer can reject a request with 400; a text that
  // cannot be an id is not found.
  const takesNothing = parameters.every((parameter) => parameter.in === 'path') && body === null;
  if (status === 400 && takesNothing) return false;
  return NOT_MET[`${name} ${status}`] === undefined;
}
