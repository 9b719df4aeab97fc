import { ANY_AUDIENCE, isOwnOrigin, normalAudience } from './audience.ts';
import { bearerToken } from './bearer.ts';
import type { Caller } from './caller.ts';
import { knownOrigin } from './known-origin.ts';
import { TokenError, type Tokens } from './tokens.ts';

type Asked = Parameters<typeof knownOrigin>[0];
type Reachable = Parameters<typeof isOwnOrigin>[2];
type WithHeaders = Parameters<typeof bearerToken>[0];

/** The parts of a call that authentication needs. */
export interface BearerCall extends WithHeaders {
  readonly route: { readonly open?: boolean };
  readonly origin: string;
  readonly jar: Reachable & { readonly tokens: Pick<Tokens, 'recall' | 'verify'> };
  caller: Caller | undefined;
}

/** Why a request could not be authenticated. */
export type BearerFault =
  | { readonly is: 'absent' | 'malformed' }
  | { readonly is: 'invalid'; readonly error: TokenError }
  | { readonly is: 'audience'; readonly audience: string };

export interface BearerRules<C extends BearerCall> {
  /** Audiences of tokens for this API; URLs of the jar itself are accepted too. */
  readonly audiences: readonly string[];
  /** Creates the error in the format of the API. */
  readonly refused: (call: C, fault: BearerFault) => Error;
  /** Further checks of the API on a caller. */
  readonly admit?: (call: C, caller: Caller) => Promise<void> | undefined;
}

/** Creates a step that authenticates callers by bearer token. It is synchronous if the token is cached. */
export function bearerStep<C extends BearerCall>({ audiences, refused, admit }: BearerRules<C>) {
  const accepted: ReadonlySet<string> = new Set(audiences);

  const admitted = (call: C, caller: Caller): Promise<void> | undefined => {
    call.caller = caller;
    const { audience } = caller;
    const isKnown = audience === ANY_AUDIENCE || accepted.has(normalAudience(audience));
    if (!isKnown && !isOwnOrigin(audience, call.origin, call.jar)) throw refused(call, { is: 'audience', audience });
    return admit?.(call, caller);
  };

  const verified = async (call: C, token: string): Promise<void> => {
    let caller: Caller;
    try {
      caller = await call.jar.tokens.verify(token);
    } catch (error) {
      if (!(error instanceof TokenError)) throw error;
      throw refused(call, { is: 'invalid', error });
    }
    await admitted(call, caller);
  };

  return (call: C): Promise<void> | undefined => {
    if (call.route.open) return undefined;
    const token = bearerToken(call);
    if (token === undefined) throw refused(call, { is: 'absent' });
    if (token === null) throw refused(call, { is: 'malformed' });
    const known = call.jar.tokens.recall(token);
    return known ? admitted(call, known) : verified(call, token);
  };
}

/** The fault as a sentence, for APIs without messages of their own. */
export function faultReason(fault: BearerFault): string {
  switch (fault.is) {
    case 'absent':
      return "The request has no 'Authorization' header with a bearer token.";
    case 'malformed':
      return "The 'Authorization' header is not of the form 'Bearer <token>'.";
    case 'audience':
      return `The token is for the audience '${fault.audience}', which is not this API.`;
    case 'invalid':
      return fault.error.message;
  }
}

/** Value of the `WWW-Authenticate` header: where tokens are issued, and what is wrong with the one that was sent. */
export function bearerChallenge(call: Asked, reason: string, { path = 'common', realm = '' } = {}): string {
  const description = reason.replaceAll('"', "'");
  return `Bearer ${realm}authorization_uri="${knownOrigin(call)}/${path}", error="invalid_token", error_description="${description}"`;
}
