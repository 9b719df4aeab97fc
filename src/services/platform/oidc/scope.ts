import { ALL_APIS, isKnownScope, scopesBeyond } from '../access/scopes.ts';
import { oidcErrors } from './errors.ts';

/** RFC 6749 3.3, with a limit for the size of tokens. */
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]+(?: [\x21\x23-\x5b\x5d-\x7e]+)*$/;
const LONGEST_SCOPE = 1000;

/**
 * The scope of a token for a credential that is limited to `held`. Without a requested scope, the token gets the scopes of the credential.
 */
export function readScope(scope: string | undefined, held?: readonly string[]): string {
  const given = scope?.trim() || (held ?? [ALL_APIS]).join(' ');
  if (given.length > LONGEST_SCOPE || !SCOPE.test(given))
    throw oidcErrors.invalid_scope({
      reason: `The scope is not a list of words of at most ${LONGEST_SCOPE} characters.`,
    });
  const words = given.split(' ');
  const unknown = words.find((word) => !isKnownScope(word));
  if (unknown !== undefined)
    throw oidcErrors.invalid_scope({ reason: `The scope '${unknown.slice(0, 100)}' is unknown.` });
  const beyond = scopesBeyond(held, words);
  if (beyond.length > 0)
    throw oidcErrors.access_denied({ reason: `Scopes '${beyond.join(' ')}' are not assigned to the credential.` });
  return given;
}
