/** Severities of a vulnerability, the worst last. */
const SEVERITIES = ['info', 'low', 'moderate', 'high', 'critical'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** Result of `npm audit --json`. */
export type AuditAnswer =
  /** Nothing at or above the requested severity. */
  | { readonly kind: 'clean'; readonly packages: number }
  | { readonly kind: 'holes'; readonly holes: readonly string[] }
  /** The registry was not asked. */
  | { readonly kind: 'unchecked'; readonly why: string };

/** Parses the output. Throws on anything but a report or an npm error: it must not pass. */
export function readAudit(stdout: string, least: Severity): AuditAnswer {
  const answer = parse(stdout);
  if (isReport(answer)) {
    const counted = SEVERITIES.slice(SEVERITIES.indexOf(least));
    const holes = Object.entries(answer.vulnerabilities)
      .filter(([, { severity }]) => counted.includes(severity))
      .map(([name, { severity, range }]) => `${name} ${range}: ${severity}`);
    return holes.length > 0
      ? { kind: 'holes', holes }
      : { kind: 'clean', packages: answer.metadata.dependencies.total };
  }
  if (typeof answer === 'object' && answer !== null && 'message' in answer && typeof answer.message === 'string') {
    return { kind: 'unchecked', why: answer.message };
  }
  throw new Error(`npm audit said what is neither a report nor a refusal: ${stdout.slice(0, 200)}`);
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

function isReport(answer: unknown): answer is Report {
  return typeof answer === 'object' && answer !== null && 'auditReportVersion' in answer && 'vulnerabilities' in answer;
}
