/** Severities of a vulnerability, the worst last. */
const SEVERITIES = ['info', 'low', 'moderate', 'high', 'critical'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** Result of `npm audit --json`. */
export type AuditResponse =
  /** Nothing at or above the requested severity. */
  | { readonly kind: 'clean'; readonly packages: number }
  | { readonly kind: 'holes'; readonly holes: readonly string[] }
  /** The registry could not be queried. */
  | { readonly kind: 'unchecked'; readonly why: string };

/** Parses the output. Throws on anything but a report or an npm error: it must not pass. */
export function readAudit(stdout: string, least: Severity): AuditResponse {
  const response = parse(stdout);
  if (isReport(response)) {
    const counted = SEVERITIES.slice(SEVERITIES.indexOf(least));
    const holes = Object.entries(response.vulnerabilities)
      .filter(([, { severity }]) => counted.includes(severity))
      .map(([name, { severity, range }]) => `${name} ${range}: ${severity}`);
    return holes.length > 0
      ? { kind: 'holes', holes }
      : { kind: 'clean', packages: response.metadata.dependencies.total };
  }
  if (
    typeof response === 'object' &&
    response !== null &&
    'message' in response &&
    typeof response.message === 'string'
  ) {
    return { kind: 'unchecked', why: response.message };
  }
  throw new Error(`Unexpected npm audit output: ${stdout.slice(0, 200)}`);
}

// Helpers

interface Report {
  readonly auditReportVersion: number;
  readonly vulnerabilities: Readonly<Record<string, { readonly severity: Severity; readonly range: string }>>;
  readonly metadata: { readonly dependencies: { readonly total: number } };
}

function parse(stdout: string): unknown {
  try {
    return JSON.parse(stdout);
  } catch {
    return null;
  }
}

function isReport(response: unknown): response is Report {
  return (
    typeof response === 'object' &&
    response !== null &&
    'auditReportVersion' in response &&
    'vulnerabilities' in response
  );
}
