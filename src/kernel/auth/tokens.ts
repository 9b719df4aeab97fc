import { importJWK, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import type { Clock } from '../clock/types.ts';
import { uuid } from '../ids/index.ts';
import type { Caller } from './caller.ts';
import type { SigningKeys } from './keys.ts';
import type { Lifetime, Lifetimes } from './lifetimes.ts';

export const DEFAULT_LIFETIME_SECONDS = 3599;

/** Why a token is invalid, so that each API can use its own message. */
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
  /** `https://localhost:7443`, the part of the issuer before the tenant. */
  readonly origin: string;
  readonly tenantId: string;
  readonly audience: string;
  readonly applicationId: string;
  /** Requested by the caller, and measured by the jar's clock; by default `DEFAULT_LIFETIME_SECONDS` by either clock. */
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
  /** How the application authenticated: 0 not at all, 1 with a secret. */
  readonly applicationProof?: '0' | '1';
  readonly claims?: JWTPayload;
  /** Requests with the token may only read, and only until this time by the system's clock. */
  readonly readOnlyUntil?: number;
}

type Issuer = Pick<TokenRequest, 'origin' | 'tenantId' | 'version'>;

/** Size of the cache of verified tokens; verifying a signature costs more than the rest of a small request. */
const REMEMBERED_TOKENS = 10_000;

/** End of a default lifetime by the system's clock, in seconds since 1970 as `exp`; see `Lifetimes`. */
export const WALL_EXPIRY_CLAIM = 'wall_exp';

/** Options for `jwtVerify`: the library only checks that the times are present, and `Lifetimes` decides, also for cached tokens. */
export const TIMES_UNCHECKED = { currentDate: new Date(0), clockTolerance: Number.MAX_SAFE_INTEGER } as const;

/** Claim of tokens for people who may only look at a shared jar: when their session ends, in seconds by the system's clock. */
export const READ_ONLY_CLAIM = 'jar_read_only';

export interface IssuedToken {
  readonly token: string;
  readonly expiresIn: number;
  /** Milliseconds by the system's clock, because clients compare it with theirs. */
  readonly expiresOn: number;
}

export class Tokens {
  readonly #keys: SigningKeys;
  readonly #clock: Clock;
  readonly #lifetimes: Lifetimes;
  /** Jars of one process may share a key; this claim distinguishes their tokens. It is the same on all nodes of a jar. */
  readonly #jarId: string;
  readonly #remembered = new Map<string, Caller>();
  #lastToken: string | undefined;
  #lastCaller: Caller | undefined;

  constructor(keys: SigningKeys, clock: Clock, lifetimes: Lifetimes, jarId: string) {
    this.#keys = keys;
    this.#clock = clock;
    this.#lifetimes = lifetimes;
    this.#jarId = jarId;
  }

  async issue(request: TokenRequest): Promise<IssuedToken> {
    const expiresIn = request.lifetimeSeconds ?? DEFAULT_LIFETIME_SECONDS;
    const issuedAt = this.#second();
    const { expiresAt, wallExpiresAt } = this.#lifetimes.begin(expiresIn * 1000, issuedAt);
    const isDefault = request.lifetimeSeconds === undefined;
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
      ...(request.readOnlyUntil !== undefined && { [READ_ONLY_CLAIM]: seconds(request.readOnlyUntil) }),
      ...(isDefault && { [WALL_EXPIRY_CLAIM]: wallExpiresAt / 1000 }),
      iat: issuedAt / 1000,
      // Other APIs check it by the system's clock.
      nbf: seconds(Math.min(issuedAt, this.#lifetimes.earliestNow())),
      exp: expiresAt / 1000,
    };
    const token = await this.#sign(request, request.audience, subject.objectId, claims);
    return { token, expiresIn, expiresOn: wallExpiresAt };
  }

  /** No API of the jar accepts an id token. Applications check its times by the system's clock, so it is valid by either clock. */
  issueIdToken(from: Issuer, audience: string, subject: string, claims: JWTPayload): Promise<string> {
    const now = seconds(this.#lifetimes.earliestNow());
    const lifetime = this.#lifetimes.begin(DEFAULT_LIFETIME_SECONDS * 1000, this.#second());
    const exp = seconds(this.#lifetimes.latestEnd(lifetime));
    return this.#sign(from, audience, subject, { ...claims, iat: now, nbf: now, exp });
  }

  async #sign(from: Issuer, audience: string, subject: string, claims: JWTPayload): Promise<string> {
    const key = await this.#keys.active();
    return new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid: key.kid, x5t: key.kid })
      .setIssuer(issuerOf(from.origin, from.tenantId, from.version))
      .setAudience(audience)
      .setSubject(subject)
      .sign(key.privateKey);
  }

  /** Times in a token are whole seconds. */
  #second(): number {
    return seconds(this.#clock.now()) * 1000;
  }

  /** The caller of a cached token that is still valid; most calls need no asynchronous check. */
  recall(token: string): Caller | undefined {
    // Calls often come in series, and comparing with the last token is faster than hashing a kilobyte.
    const known = token === this.#lastToken ? this.#lastCaller : this.#remembered.get(token);
    if (!known || this.#lifetimes.isOver(known)) return undefined;
    this.#lastToken = token;
    this.#lastCaller = known;
    return known;
  }

  /**
   * `nbf` is not checked: only the jar signs, with its current time, so a token from the future means that a reset moved the clock back,
   * which tokens are meant to survive.
   */
  async verify(token: string): Promise<Caller> {
    const known = this.#remembered.get(token);
    const caller = known ?? (await this.#check(token));
    if (this.#lifetimes.isOver(caller)) {
      this.#remembered.delete(token);
      throw new TokenError('expired', 'The token has expired.', caller.expiresAt);
    }
    if (!known) this.#remember(token, caller);
    return caller;
  }

  /** The caller of a token that this jar has issued, even if it has expired. */
  async callerOf(token: string): Promise<Caller> {
    return this.#remembered.get(token) ?? this.#check(token);
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
      readOnly: claims[READ_ONLY_CLAIM] !== undefined,
      ...lifetimeOf(claims),
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
        {
          algorithms: ['RS256'],
          requiredClaims: ['exp', 'iss', 'aud', 'tid', 'oid'],
          ...TIMES_UNCHECKED,
        },
      );
      return payload;
    } catch (error) {
      if (error instanceof TokenError) throw error;
      const bad = (error as { code?: string }).code === 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED';
      throw new TokenError(
        bad ? 'signature' : 'malformed',
        bad ? "The token's signature is wrong." : 'The token is malformed.',
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

const seconds = (time: number): number => Math.floor(time / 1000);

/** The lifetime in a token's claims. */
export function lifetimeOf(claims: JWTPayload): Lifetime {
  const { [WALL_EXPIRY_CLAIM]: wall, [READ_ONLY_CLAIM]: end } = claims;
  return {
    expiresAt: Number(claims.exp) * 1000,
    ...(typeof wall === 'number' && { wallExpiresAt: wall * 1000 }),
    ...(typeof end === 'number' && { wallEnd: end * 1000 }),
  };
}

const issuerPath = (tenantId: string, version: '1.0' | '2.0'): string =>
  version === '1.0' ? `/${tenantId}/` : `/${tenantId}/v2.0`;

export const issuerOf = (origin: string, tenantId: string, version: '1.0' | '2.0'): string =>
  origin + issuerPath(tenantId, version);
