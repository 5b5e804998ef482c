type Paths = Readonly<Record<string, Readonly<Record<string, { readonly responses: Record<string, Response> }>>>>;

/** A response, or a reference to a shared one. */
interface Response {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, { readonly examples?: object }>>;
}

/**
 * Replaces error responses that several operations have by references, and returns the referenced
 * responses for `components.responses`, named after their error codes, which are the names of their
 * examples. (@fastify/swagger shares only schemas: fastify/fastify-swagger issue 793.)
 */
export function shareErrorResponses(paths: Paths): Readonly<Record<string, object>> {
  const shared: Record<string, Response> = {};
  // Of two responses with the same codes, the one used more often is shared.
  for (const uses of groupErrors(paths).toSorted((one, other) => other.length - one.length)) {
    const [first] = uses;
    if (first === undefined || uses.length < 2) continue;
    const contents = Object.values(first.response.content ?? {});
    const name = contents.flatMap(({ examples = {} }) => Object.keys(examples)).join('-');
    if (name === '' || name in shared) continue;
    shared[name] = first.response;
    for (const { responses, status } of uses) responses[status] = { $ref: `#/components/responses/${name}` };
  }
  return shared;
}

// Helpers

interface Use {
  readonly responses: Record<string, Response>;
  readonly status: string;
  readonly response: Response;
}

/** Where each error response is used; equal responses share a group. */
function groupErrors(paths: Paths): Use[][] {
  const groups = new Map<string, Use[]>();
  for (const { responses } of Object.values(paths).flatMap((methods) => Object.values(methods))) {
    for (const [status, response] of Object.entries(responses)) {
      if (Number(status) < 400) continue;
      const text = JSON.stringify(response);
      groups.set(text, [...(groups.get(text) ?? []), { responses, status, response }]);
    }
  }
  return [...groups.values()];
}
