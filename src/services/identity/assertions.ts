import { X509Certificate } from 'node:crypto';
import { decodeProtectedHeader, type JWTPayload, errors as joseErrors, jwtVerify } from 'jose';
import { type Application, knownOrigin, TIMES_UNCHECKED } from '../../kernel/auth/index.ts';
import type { Call } from '../../kernel/service/index.ts';
import { isoTime, MINUTE_MS } from '../../kernel/time/index.ts';
import { identityErrors } from './errors.ts';

/**
 * Client assertions (RFC 7523), with which an application with a certificate authenticates. Libraries send one assertion with several
 * requests while it is valid, so a repeated one is accepted.
 */

export const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

const ALGORITHMS = ['RS256', 'PS256'];

/** Tolerated clock skew of clients. */
const TOLERATED_SKEW_MS = 5 * MINUTE_MS;

/**
 * Throws unless `assertion` was signed with the key of a certificate of `client`, is meant for this token endpoint, and is currently valid.
 */
export async function checkAssertion(call: Call, client: Application, assertion: string): Promise<void> {
  const certificate = certificateOf(client, headerOf(assertion));
  const claims = await verified(assertion, certificate);
  if (!sameName(claims.iss, client.id) || !sameName(claims.sub, client.id)) {
    throw identityErrors.AssertionNames({ client: client.id });
  }
  checkAudience(call, claims);
  checkTimes(call, claims);
}

const malformed = (reason: string) => identityErrors.AssertionMalformed({ reason });

const sameName = (claim: string | undefined, id: string): boolean => claim?.toLowerCase() === id.toLowerCase();

interface AssertionHeader {
  readonly x5t?: string;
  readonly 'x5t#S256'?: string;
}

function headerOf(assertion: string): AssertionHeader {
  let header: ReturnType<typeof decodeProtectedHeader>;
  try {
    header = decodeProtectedHeader(assertion);
  } catch {
    throw malformed('its header cannot be read.');
  }
  const { alg, x5t, 'x5t#S256': x5tS256 } = header;
  if (!alg || !ALGORITHMS.includes(alg)) throw malformed(`its 'alg' must be one of ${ALGORITHMS.join(', ')}.`);
  const sha256 = typeof x5tS256 === 'string' ? x5tS256 : undefined;
  if (typeof x5t !== 'string' && sha256 === undefined) throw malformed("its header has neither 'x5t' nor 'x5t#S256'.");
  return { ...(typeof x5t === 'string' && { x5t }), ...(sha256 !== undefined && { 'x5t#S256': sha256 }) };
}

function certificateOf({ certificates = [], id }: Application, header: AssertionHeader): X509Certificate {
  const { x5t, 'x5t#S256': x5tS256 } = header;
  const thumbprint = hexOf(x5tS256 ?? x5t ?? '');
  const found = certificates
    .map((pem) => new X509Certificate(pem))
    .find((each) => plainHex(x5tS256 === undefined ? each.fingerprint : each.fingerprint256) === thumbprint);
  if (found) return found;
  throw identityErrors.AssertionKeyUnknown({ client: id, thumbprint });
}

/** Compared as bytes, because some libraries pad the base64 text and others do not. */
const hexOf = (encoded: string): string => Buffer.from(encoded, 'base64url').toString('hex').toUpperCase();

const plainHex = (fingerprint: string): string => fingerprint.replaceAll(':', '');

async function verified(assertion: string, certificate: X509Certificate): Promise<JWTPayload> {
  try {
    const options = { algorithms: ALGORITHMS, requiredClaims: ['exp', 'iss', 'sub', 'aud'], ...TIMES_UNCHECKED };
    return (await jwtVerify(assertion, certificate.publicKey, options)).payload;
  } catch (error) {
    if (error instanceof joseErrors.JWTClaimValidationFailed)
      throw malformed(`its '${error.claim}' is missing or wrong.`);
    if (error instanceof joseErrors.JWSSignatureVerificationFailed) throw identityErrors.AssertionSignatureWrong();
    throw malformed('it cannot be read.');
  }
}

/** Accepted audiences: the token endpoint at the address that the client used, with any tenant in its path, or the corresponding issuer. */
function checkAudience(call: Call, { aud }: JWTPayload): void {
  const endpoint = knownOrigin(call) + call.path;
  const root = `${knownOrigin(call)}/`;
  const given = typeof aud === 'string' ? [aud] : (aud ?? []);
  if (given.some((each) => each.startsWith(root) && AUDIENCE_PATH.test(each.slice(root.length - 1)))) return;
  throw identityErrors.AssertionAudience({ audience: given.join(' '), endpoint });
}

const AUDIENCE_PATH = /^\/[^/]+(\/oauth2(\/v2\.0)?\/token|\/v2\.0|)\/?$/;

/** Either clock is accepted, as for tokens: a client uses its own clock and cannot know that the jar's was moved. */
function checkTimes({ jar }: Call, { nbf, exp = 0 }: JWTPayload): void {
  const until = exp * 1000;
  const from = nbf === undefined ? undefined : nbf * 1000;
  const begun = from === undefined || jar.lifetimes.hasCome(from - TOLERATED_SKEW_MS);
  if (begun && !jar.lifetimes.isOver({ expiresAt: until, wallExpiresAt: until })) return;
  throw identityErrors.AssertionOutOfTime({
    from: from === undefined ? 'its issue' : timeText(from),
    until: timeText(until),
  });
}

/** A client can send numbers beyond the range of dates. */
const timeText = (time: number): string => (Math.abs(time) <= 8.64e15 ? isoTime(time) : String(time));
