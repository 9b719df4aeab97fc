import { ANY_AUDIENCE, isOwnOrigin, normalAudience } from './audience.ts';
import { bearerToken } from './bearer.ts';
import type { Caller } from './caller.ts';
import { knownOrigin } from './known-origin.ts';
import { TokenError, type Tokens } from './tokens.ts';

type Asked = Parameters<typeof knownOrigin>[0];
type Reachable = Parameters<typeof isOwnOrigin>[2];
type WithHeaders = Parameters<typeof bearerToken>[0];

/** As much of a call as it takes to find out who makes it. */
export interface BearerCall extends WithHeaders {
  readonly route: { readonly open?: boolean };
  readonly origin: string;
  readonly jar: Reachable & { readonly tokens: Pick<Tokens, 'recall' | 'verify'> };
  caller: Caller | undefined;
}

/** Why a request has no caller. */
export type BearerFault =
  | { readonly is: 'absent' | 'malformed' }
  | { readonly is: 'invalid'; readonly error: TokenError }
  | { readonly is: 'audience'; readonly audience: string };

export interface BearerRules<C extends BearerCall> {
  /** Those that tokens for this API name; besides these, the address of the jar itself. */
  readonly audiences: readonly string[];
  /** The error in the wire shape of the API. */
  readonly refused: (call: C, fault: BearerFault) => Error;
  /** What else the API asks of a caller. */
  readonly admit?: (call: C, caller: Caller) => Promise<void> | undefined;
}

/** A step of a family of routes: finds out who calls, by a bearer token. It does not wait where the token was seen before. */
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

/** What is wrong, in a sentence, for APIs that have no words of their own for it. */
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

/** The header that says where tokens come from, and what is wrong with the one that was sent. */
export function bearerChallenge(call: Asked, reason: string, { path = 'common', realm = '' } = {}): string {
  const description = reason.replaceAll('"', "'");
  return `Bearer ${realm}authorization_uri="${knownOrigin(call)}/${path}", error="invalid_token", error_description="${description}"`;
}
