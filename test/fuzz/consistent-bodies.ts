import fc from 'fast-check';

type Body = Readonly<Record<string, unknown>>;

/**
 * Bodies whose fields agree with each other in ways that a schema does not say, four times of five.
 * Nearly every random body would otherwise be refused, and nothing behind that check exercised.
 */
export function consistentBodies(operation: string, bodies: fc.Arbitrary<Body>): fc.Arbitrary<Body> {
  const agree = CORRECTIONS[operation.slice(operation.lastIndexOf('/') + 1)];
  if (agree === undefined) return bodies;
  return fc.oneof({ weight: 4, arbitrary: bodies.map(agree) }, { weight: 1, arbitrary: bodies });
}

// Helpers

/** By the last part of the operation's path. */
const CORRECTIONS: Readonly<Record<string, (body: Body) => Body>> = { simulate: onlyTimesThatCount };

/** A time goes with advance_clock only, and that takes one of the two. */
function onlyTimesThatCount(body: Body): Body {
  const { seconds, to, ...rest } = body;
  if (body.action !== 'advance_clock') return rest;
  return { ...rest, ...(to === undefined ? { seconds: seconds ?? 60 } : { to }) };
}
