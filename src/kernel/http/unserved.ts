import type { RequestCall } from './call.ts';
import { ApiError } from './errors.ts';
import type { ApiFamily } from './family.ts';
import type { Owner } from './owner.ts';
import { hintOf, type Suggestion } from './path-guide.ts';
import type { Match } from './router.ts';

/** Maximum length of a path in a message. */
const LONGEST_PATH = 300;

/**
 * The error for a call without a route. Callers are not authenticated first: routes are not secret, and a client with a mistyped path would
 * search for a problem with its token.
 */
export async function unserved(
  { family }: { readonly family: ApiFamily },
  match: Exclude<Match<Owner>, { kind: 'route' }>,
  suggestion: Suggestion<Owner> | undefined,
  call: RequestCall,
): Promise<ApiError> {
  if (match.kind === 'malformed')
    return new ApiError(400, family.codes.invalidQuery, 'The path is not properly percent-encoded.');
  const allowed = match.kind === 'methodNotAllowed' ? match.allow : [];
  const hint = hintOf(suggestion, call.origin);
  const specific = await family.unmatched?.(call, { allow: allowed, suggestion, hint });
  if (specific) return specific;
  if (match.kind === 'notFound') {
    const path = (call.url.split('?', 1)[0] as string).slice(0, LONGEST_PATH);
    return new ApiError(404, family.codes.notFound, `Nothing is served at '${path}'.${hint}`);
  }
  const allow = allowed.join(', ');
  const message = `The method ${call.method} is not allowed here; this path supports ${allow}.`;
  return new ApiError(405, family.codes.methodNotAllowed, message, { headers: { allow } });
}
