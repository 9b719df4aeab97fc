import { createHash } from 'node:crypto';
import { type Application, type IssuedToken, knownOrigin, type User } from '../../kernel/auth/index.ts';
import { uuid } from '../../kernel/ids/index.ts';
import type { Call } from '../../kernel/service/index.ts';
import type { Target } from './scopes.ts';

type Version = '1.0' | '2.0';

export function userToken(
  call: Call,
  client: Application,
  user: User,
  target: Target,
  version: Version,
): Promise<IssuedToken> {
  return call.jar.tokens.issue({
    origin: knownOrigin(call),
    tenantId: user.tenantId,
    audience: target.audience,
    applicationId: client.id,
    applicationProof: client.public ? '0' : '1',
    version,
    subject: {
      kind: 'user',
      objectId: user.id,
      username: user.username,
      displayName: user.displayName,
      scopes: target.scopes,
    },
  });
}

export function applicationToken(
  call: Call,
  client: Application,
  target: Target,
  version: Version,
): Promise<IssuedToken> {
  return call.jar.tokens.issue({
    origin: knownOrigin(call),
    tenantId: client.tenantId,
    audience: target.audience,
    applicationId: client.id,
    applicationProof: '1',
    version,
    subject: { kind: 'application', objectId: client.objectId, displayName: client.displayName },
  });
}

interface IdTokenOptions {
  readonly version: Version;
  readonly nonce?: string;
  readonly sid?: string;
  /** The access token or code that is issued together with the id token, which holds a hash of it against substitution. */
  readonly accessToken?: string;
  readonly code?: string;
}

/** Identifies the user to the application. It lacks a claim that access tokens have, so that no API accepts it as one. */
export function idToken(call: Call, client: Application, user: User, options: IdTokenOptions): Promise<string> {
  const { version, nonce, sid, accessToken, code } = options;
  const from = { origin: knownOrigin(call), tenantId: user.tenantId, version };
  return call.jar.tokens.issueIdToken(from, client.id, user.id, {
    ...profileOf(user, version),
    oid: user.id,
    tid: user.tenantId,
    ver: version,
    uti: uuid(),
    ...(nonce !== undefined && { nonce }),
    ...(sid !== undefined && { sid }),
    ...(accessToken !== undefined && { at_hash: halfHash(accessToken) }),
    ...(code !== undefined && { c_hash: halfHash(code) }),
  });
}

export function profileOf(user: User, version: Version): Record<string, string> {
  return {
    name: user.displayName,
    ...(user.givenName !== undefined && { given_name: user.givenName }),
    ...(user.surname !== undefined && { family_name: user.surname }),
    ...(version === '1.0'
      ? { upn: user.username, unique_name: user.username }
      : { preferred_username: user.username, ...(user.username.includes('@') && { email: user.username }) }),
  };
}

/** OpenID Connect Core 3.1.3.6: the left half of the hash, with the algorithm of the signature. */
const halfHash = (text: string): string =>
  createHash('sha256').update(text).digest().subarray(0, 16).toString('base64url');

/**
 * Requested with `client_info=1` by libraries that key the account in their cache by its home tenant, whichever tenant issued the tokens.
 */
export const clientInfo = (user: User): string =>
  Buffer.from(JSON.stringify({ uid: user.id, utid: user.tenantId })).toString('base64url');
