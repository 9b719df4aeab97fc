import { createLocalJWKSet, decodeJwt, type JWTPayload, errors as joseErrors, jwtVerify } from 'jose';
import { isOwnOrigin, knownOrigin, TIMES_UNCHECKED } from '../../../kernel/auth/index.ts';
import type { PlatformCall } from '../jar.ts';

/** Verifies tokens that another issuer has signed. */

/** An accepted issuer and the location of its keys. */
export interface TokenIssuer {
  readonly issuer: string;
  /** The public keys, or their URL. Neither: they are found through the issuer's metadata. */
  readonly jwksJson?: string;
  readonly jwksUri?: string;
}

export type TokenFault = 'expired' | 'unsigned' | 'unreachable';

/** Reason why a token is not accepted. */
export class ForeignTokenError extends Error {
  readonly fault: TokenFault;

  constructor(fault: TokenFault, message: string, cause?: unknown) {
    super(message, { cause });
    this.fault = fault;
  }
}

/** For documents of other issuers. */
const TIMEOUT_MS = 10_000;
const LARGEST_DOCUMENT = 64 * 1024;

/** The claims of a token, without verification. */
export function unverified(token: string): JWTPayload | undefined {
  try {
    return decodeJwt(token);
  } catch {
    return undefined;
  }
}

/** Whether the jar's own directory is the issuer. Uses only the jar's known names, since clients control the `Host` header. */
export const isOwnIssuer = (call: PlatformCall, issuer: string): boolean =>
  isOwnOrigin(URL.parse(issuer)?.origin ?? '', knownOrigin(call), call.jar);

/** Throws unless the token is signed by the issuer and has not expired. */
export async function verifyForeign(call: PlatformCall, token: string, from: TokenIssuer): Promise<void> {
  const keys = await keysOf(call, from);
  let payload: JWTPayload;
  try {
    ({ payload } = await jwtVerify(token, createLocalJWKSet(keys), {
      issuer: from.issuer,
      algorithms: ['RS256', 'RS384', 'RS512', 'ES256', 'ES384', 'PS256', 'EdDSA'],
      requiredClaims: ['exp'],
      ...TIMES_UNCHECKED,
    }));
  } catch (cause) {
    const reason =
      cause instanceof joseErrors.JWKSNoMatchingKey
        ? 'the issuer has no such key, or has removed it'
        : 'its signature does not verify with the keys of the issuer, or a claim is missing';
    throw new ForeignTokenError('unsigned', reason, cause);
  }
  const end = Number(payload.exp) * 1000;
  // Issuers use the system's clock, tests the jar's: a token is valid while it is valid by either clock.
  if (call.jar.lifetimes.isOver({ expiresAt: end, wallExpiresAt: end }))
    throw new ForeignTokenError('expired', 'the token has expired');
}

type KeySet = Parameters<typeof createLocalJWKSet>[0];

/**
 * Keys from the policy, from the URL in the policy, or through the issuer's metadata; the keys of the jar's own directory are read locally.
 */
async function keysOf(call: PlatformCall, { issuer, jwksJson, jwksUri }: TokenIssuer): Promise<KeySet> {
  if (jwksJson === undefined && jwksUri === undefined && isOwnIssuer(call, issuer)) return call.jar.keys.jwks();
  try {
    if (jwksJson !== undefined) return JSON.parse(jwksJson);
    return await document(call, jwksUri ?? (await keysAt(call, issuer)));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ForeignTokenError('unreachable', `the keys of the issuer cannot be read: ${reason}`, cause);
  }
}

async function keysAt(call: PlatformCall, issuer: string): Promise<string> {
  let end = issuer.length;
  while (issuer[end - 1] === '/') end--;
  const at = `${issuer.slice(0, end)}/.well-known/openid-configuration`;
  const { jwks_uri: uri } = await document<{ readonly jwks_uri?: string }>(call, at);
  if (typeof uri !== 'string') throw new Error(`the issuer '${issuer}' does not publish the address of its keys`);
  return uri;
}

async function document<T>({ jar }: PlatformCall, url: string): Promise<T> {
  const answer = await jar.outbound.send({
    url,
    method: 'GET',
    timeoutMs: TIMEOUT_MS,
    maxBodyBytes: LARGEST_DOCUMENT,
    redirects: 2,
  });
  if (answer.status !== 200 || answer.truncated) throw new Error(`'${url}' answered ${answer.status}`);
  return JSON.parse(answer.body.toString('utf8'));
}
