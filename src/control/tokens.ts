import { Type } from 'typebox';
import { ANY_AUDIENCE, applications, DEFAULT_LIFETIME_SECONDS, knownOrigin, users } from '../kernel/auth/index.ts';
import { parseDuration } from '../kernel/clock/index.ts';
import { ok, type Route } from '../kernel/http/index.ts';
import type { Jar } from '../kernel/service/index.ts';
import { SECOND_MS, wallNow } from '../kernel/time/index.ts';
import { controlErrors, route } from './family.ts';

/** The delegated scopes of the jar's services; the default of `POST tokens`. */
export const EVERY_SCOPE: readonly string[] = ['user_impersonation'];

const COMMAND_LINE = '04b07795-8ddb-461a-bbee-02f9e1bf7b46';

const TokenBody = Type.Object(
  {
    user: Type.Optional(Type.String()),
    scope: Type.Optional(Type.String()),
    audience: Type.Optional(Type.String()),
    ttl: Type.Optional(Type.Union([Type.String(), Type.Number()])),
    /** Additional claims, such as `xms_mirid` of a managed identity. */
    claims: Type.Optional(Type.Record(Type.String(), Type.String())),
  },
  { additionalProperties: false },
);

export const tokenRoute: Route = route({
  method: 'POST',
  path: '/_jar/tokens',
  operation: 'Jar_IssueToken',
  summary: 'An access token for a user or application of the jar, without signing in',
  secretBodies: true,
  body: TokenBody,
  bodyOptional: true,
  // People who may only read get tokens that permit only that.
  safe: true,
  responses: {
    200: Type.Object({ access_token: Type.String(), token_type: Type.String(), expires_in: Type.Integer() }),
  },
  async handle(call) {
    const { user = 'admin', scope, audience = ANY_AUDIENCE, ttl, claims = {} } = call.body ?? {};
    checkClaims(claims);
    const subject = await findSubject(call.jar, user);
    const { session } = call.facts;
    const readOnlyUntil = session?.role === 'reader' ? session.expiresAt : undefined;
    const lifetimeSeconds = lifetimeOf(ttl, readOnlyUntil);
    const granted = scope?.split(/[\s,]+/).filter(Boolean);
    const issued = await call.jar.tokens.issue({
      origin: knownOrigin(call),
      tenantId: subject.tenantId,
      audience,
      applicationId: subject.applicationId,
      version: '1.0',
      ...(readOnlyUntil !== undefined && { readOnlyUntil }),
      ...(lifetimeSeconds !== undefined && { lifetimeSeconds }),
      // Permissions of an application are in `roles`; without that claim, each service decides itself.
      claims: { ...claims, ...(subject.kind === 'application' && granted && { roles: granted }) },
      subject:
        subject.kind === 'user'
          ? { ...subject, kind: 'user', scopes: granted ?? EVERY_SCOPE }
          : { ...subject, kind: 'application' },
    });
    return ok({ access_token: issued.token, token_type: 'Bearer', expires_in: issued.expiresIn });
  },
});

/** Claims about identity and validity follow from the subject and cannot be overridden; other claims can be added. */
export const OWN_CLAIMS: ReadonlySet<string> = new Set(
  'jar_read_only aud iss sub iat nbf exp oid tid ver uti jar name idtyp appid appidacr azp azpacr scp upn unique_name preferred_username wall_exp'.split(
    ' ',
  ),
);

function checkClaims(claims: Readonly<Record<string, string>>): void {
  const claim = Object.keys(claims).find((name) => OWN_CLAIMS.has(name));
  if (claim !== undefined) throw controlErrors.ClaimTaken({ claim }, { target: `claims.${claim}` });
}

/** The lifetime that was asked for, or what is left of a reader's session if that is less: the token ends with the session. */
function lifetimeOf(ttl: string | number | undefined, readOnlyUntil: number | undefined): number | undefined {
  const asked = ttl === undefined ? undefined : lifetime(ttl);
  if (readOnlyUntil === undefined) return asked;
  const left = Math.max(1, Math.floor((readOnlyUntil - wallNow()) / SECOND_MS));
  return left < (asked ?? DEFAULT_LIFETIME_SECONDS) ? left : asked;
}

function lifetime(ttl: string | number): number {
  try {
    // A plain number is in seconds, as in `expires_in`.
    return Math.max(1, Math.round(parseDuration(typeof ttl === 'number' ? ttl * 1000 : ttl) / 1000));
  } catch (error) {
    throw controlErrors.BadDuration({ reason: `ttl: ${(error as Error).message}` }, { target: 'ttl' });
  }
}

interface Subject {
  readonly kind: 'user' | 'application';
  readonly tenantId: string;
  readonly objectId: string;
  readonly applicationId: string;
  readonly username: string;
  readonly displayName: string;
}

async function findSubject(jar: Jar, name: string): Promise<Subject> {
  const user = await jar.directory.findUser(name);
  if (user) {
    const { id: objectId, tenantId, username, displayName } = user;
    return { kind: 'user', objectId, tenantId, username, displayName, applicationId: COMMAND_LINE };
  }
  const app = await jar.directory.findApplication(name);
  if (app) {
    const { id: applicationId, objectId, tenantId, displayName } = app;
    return { kind: 'application', objectId, tenantId, applicationId, username: '', displayName };
  }
  throw controlErrors.UnknownUser({ user: name, known: await knownNames(jar) }, { target: 'user' });
}

async function knownNames(jar: Jar): Promise<string> {
  const people = await jar.store.query(users, { limit: 20 });
  const programs = await jar.store.query(applications, { limit: 20 });
  return [...people.items, ...programs.items].map((item) => item.value.alias).join(', ');
}
