import { importJWK, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import type { Clock } from '../clock/types.ts';
import { uuid } from '../ids/index.ts';
import type { Caller } from './caller.ts';
import type { SigningKeys } from './keys.ts';

export const DEFAULT_LIFETIME_SECONDS = 3599;

/** What is wrong with a token, so that each API can say it in its own words. */
export type TokenFault = 'malformed' | 'signature' | 'issuer' | 'expired';

export class TokenError extends Error {
  readonly fault: TokenFault;
  readonly expiredAt: number | undefined;
  constructor(fault: TokenFault, message: string, expiredAt?: number) {
    super(message);
    this.name = 'TokenError';
    this.fault = fault;
    this.expiredAt = expiredAt;
  }
}

export interface TokenRequest {
  /** `https://localhost:7443`, in front of the tenant in the issuer. */
  readonly origin: string;
  readonly tenantId: string;
  readonly audience: string;
  readonly applicationId: string;
  readonly lifetimeSeconds?: number;
  readonly version: '1.0' | '2.0';
  readonly subject:
    | {
        readonly kind: 'user';
        readonly objectId: string;
        readonly username: string;
        readonly displayName: string;
        readonly scopes: readonly string[];
      }
    | { readonly kind: 'application'; readonly objectId: string; readonly displayName: string };
  /** How the application proved itself: 0 not at all, 1 with a secret. */
  readonly applicationProof?: '0' | '1';
  readonly claims?: JWTPayload;
}

/** Verifying a signature costs more than the rest of a small request, so tokens that were good are remembered. */
const REMEMBERED_TOKENS = 10_000;

export class Tokens {
  readonly #keys: SigningKeys;
  readonly #clock: Clock;
  /** Jars of one process may share a key; this claim keeps their tokens apart, on every node of one jar alike. */
  readonly #jarId: string;
  readonly #remembered = new Map<string, Caller>();
  #lastToken: string | undefined;
  #lastCaller: Caller | undefined;

  constructor(keys: SigningKeys, clock: Clock, jarId: string) {
    this.#keys = keys;
    this.#clock = clock;
    this.#jarId = jarId;
  }

  async issue(request: TokenRequest): Promise<{ token: string; expiresIn: number }> {
    const lifetime = request.lifetimeSeconds ?? DEFAULT_LIFETIME_SECONDS;
    const { subject, version } = request;
    const claims: JWTPayload = {
      oid: subject.objectId,
      tid: request.tenantId,
      ver: version,
      uti: uuid(),
      jar: this.#jarId,
      name: subject.displayName,
      idtyp: subject.kind === 'user' ? 'user' : 'app',
      ...(version === '1.0'
        ? { appid: request.applicationId, appidacr: request.applicationProof ?? '0' }
        : { azp: request.applicationId, azpacr: request.applicationProof ?? '0' }),
      ...(subject.kind === 'user' && {
        scp: subject.scopes.join(' '),
        ...(version === '1.0'
          ? { upn: subject.username, unique_name: subject.username }
          : { preferred_username: subject.username }),
      }),
      ...request.claims,
    };
    const token = await this.sign(request, request.audience, subject.objectId, lifetime, claims);
    return { token, expiresIn: lifetime };
  }

  /** Signs any claims as the issuer of a tenant; id tokens use it too. */
  async sign(
    from: Pick<TokenRequest, 'origin' | 'tenantId' | 'version'>,
    audience: string,
    subject: string,
    lifetimeSeconds: number,
    claims: JWTPayload,
  ): Promise<string> {
    const key = await this.#keys.active();
    const now = Math.floor(this.#clock.now() / 1000);
    return new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid: key.kid, x5t: key.kid })
      .setIssuer(issuerOf(from.origin, from.tenantId, from.version))
      .setAudience(audience)
      .setSubject(subject)
      .setIssuedAt(now)
      .setNotBefore(now)
      .setExpirationTime(now + lifetimeSeconds)
      .sign(key.privateKey);
  }

  /** The caller of a token that was good before and still is; most calls need not wait for more. */
  recall(token: string): Caller | undefined {
    // Calls come in runs, and comparing with the last token is quicker than hashing a kilobyte.
    const known = token === this.#lastToken ? this.#lastCaller : this.#remembered.get(token);
    const now = this.#clock.now();
    if (!known || known.expiresAt <= now) return undefined;
    this.#lastToken = token;
    this.#lastCaller = known;
    return known;
  }

  /**
   * `nbf` is not held against a token: only the jar signs, always from its own now, so that a token from the future can only mean
   * that the clock was set back by a reset, which tokens are meant to survive.
   */
  async verify(token: string): Promise<Caller> {
    const known = this.#remembered.get(token);
    const caller = known ?? (await this.#check(token));
    const now = this.#clock.now();
    if (caller.expiresAt <= now) {
      this.#remembered.delete(token);
      throw new TokenError('expired', 'The token has expired.', caller.expiresAt);
    }
    if (!known) this.#remember(token, caller);
    return caller;
  }

  async #check(token: string): Promise<Caller> {
    const claims = await this.#verifiedClaims(token);
    const version = claims.ver === '2.0' ? '2.0' : '1.0';
    const path = URL.parse(claims.iss ?? '')?.pathname;
    const tenantId = String(claims.tid ?? '');
    if (claims.jar !== this.#jarId || path !== issuerPath(tenantId, version)) {
      throw new TokenError('issuer', `The token's issuer '${claims.iss}' is not trusted here.`);
    }
    const name = claims.upn ?? claims.preferred_username ?? claims.name ?? '';
    return {
      kind: claims.idtyp === 'app' ? 'application' : 'user',
      tenantId,
      objectId: String(claims.oid ?? ''),
      applicationId: String(claims.appid ?? claims.azp ?? ''),
      name: String(name),
      scopes: typeof claims.scp === 'string' ? claims.scp.split(' ').filter(Boolean) : [],
      audience: String(claims.aud ?? ''),
      expiresAt: Number(claims.exp) * 1000,
      claims,
    };
  }

  async #verifiedClaims(token: string): Promise<JWTPayload> {
    try {
      const { payload } = await jwtVerify(
        token,
        async (header) => {
          const jwk = header.kid === undefined ? undefined : await this.#keys.publicKey(header.kid);
          if (!jwk) throw new TokenError('signature', 'The token is signed with a key that this jar does not have.');
          return importJWK(jwk, 'RS256');
        },
        // Times are checked by the jar's clock in `verify`, for remembered tokens too; here only that they are there.
        {
          algorithms: ['RS256'],
          requiredClaims: ['exp', 'iss', 'aud', 'tid', 'oid'],
          currentDate: new Date(0),
          clockTolerance: Number.MAX_SAFE_INTEGER,
        },
      );
      return payload;
    } catch (error) {
      if (error instanceof TokenError) throw error;
      const bad = (error as { code?: string }).code === 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED';
      throw new TokenError(
        bad ? 'signature' : 'malformed',
        bad ? "The token's signature is wrong." : 'The token cannot be read.',
      );
    }
  }

  #remember(token: string, caller: Caller): void {
    if (this.#remembered.size >= REMEMBERED_TOKENS) {
      const [oldest] = this.#remembered.keys();
      if (oldest !== undefined) this.#remembered.delete(oldest);
    }
    this.#remembered.set(token, caller);
  }
}

const issuerPath = (tenantId: string, version: '1.0' | '2.0'): string =>
  version === '1.0' ? `/${tenantId}/` : `/${tenantId}/v2.0`;

export const issuerOf = (origin: string, tenantId: string, version: '1.0' | '2.0'): string =>
  origin + issuerPath(tenantId, version);
