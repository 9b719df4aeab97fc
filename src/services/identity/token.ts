import { Type } from 'typebox';
import type { Application, IssuedToken, User } from '../../kernel/auth/index.ts';
import { type Answer, ok, type Route } from '../../kernel/http/index.ts';
import type { Call } from '../../kernel/service/index.ts';
import { authenticateClient } from './clients.ts';
import type { Wanted } from './collections.ts';
import { redeemDeviceCode } from './device-codes.ts';
import { identityErrors } from './errors.ts';
import { familyOf, isOfFamily, mayShare } from './families.ts';
import { route } from './family.ts';
import { findGrant, newRefreshToken, redeemCode, renewRefreshToken } from './grants.ts';
import { applicationToken, clientInfo, idToken, userToken } from './issue.ts';
import { checkPassword } from './passwords.ts';
import { applicationTarget, type Target, userTarget } from './scopes.ts';
import { type Attempt, recorded } from './sign-in-log.ts';
import { type Authority, authorityOf, checkUser, mayUse, memberAt } from './tenants.ts';

type Form = Readonly<Record<string, string>>;

/** A token request whose application is authenticated. */
interface Exchange {
  readonly call: Call;
  readonly form: Form;
  readonly authority: Authority;
  readonly client: Application;
  readonly wanted: Wanted;
  /** For the log of sign-ins. */
  readonly attempt: Attempt;
}

const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

const GRANTS: Readonly<Record<string, (exchange: Exchange) => Promise<Answer>>> = {
  client_credentials: clientCredentials,
  authorization_code: authorizationCode,
  refresh_token: refreshToken,
  password: passwordGrant,
  [DEVICE_GRANT]: deviceCode,
};

/** The v1 endpoint and the JavaScript libraries use a shorter name. */
const GRANT_ALIASES: ReadonlyMap<string, string> = new Map([['device_code', DEVICE_GRANT]]);

export const GRANT_TYPES = Object.keys(GRANTS);

const TokenAnswer = Type.Object({ token_type: Type.String(), access_token: Type.String() });

export const tokenRoutes: readonly Route[] = [
  tokenRoute('/{tenant}/oauth2/token', '1.0', 'Identity_Token'),
  tokenRoute('/{tenant}/oauth2/v2.0/token', '2.0', 'Identity_TokenV2'),
];

function tokenRoute(
  path: '/{tenant}/oauth2/token' | '/{tenant}/oauth2/v2.0/token',
  version: Wanted['version'],
  operation: string,
): Route {
  return route({
    method: 'POST',
    path,
    operation,
    summary: 'Issues tokens for a code, a refresh token, a password, or client credentials',
    open: true,
    accepts: 'form',
    body: Type.Record(Type.String(), Type.String()),
    traits: { cors: true },
    responses: { 200: TokenAnswer },
    handle(call) {
      const form = call.body;
      const named = form.grant_type ?? '';
      const type = GRANT_ALIASES.get(named) ?? named;
      const wanted: Wanted = { version, resource: form.resource, scope: form.scope };
      const attempt: Attempt = {
        flow: FLOWS.get(type) ?? 'unknown',
        tenant: call.params.tenant,
        clientId: form.client_id,
      };
      return recorded(call, attempt, () => tokenFor({ call, form, wanted, attempt }, type));
    },
  });
}

/** Names of the grants in the log of sign-ins. */
const FLOWS: ReadonlyMap<string, string> = new Map(
  GRANT_TYPES.map((type) => [type, type === DEVICE_GRANT ? 'device_code' : type]),
);

async function tokenFor(asked: Pick<Exchange, 'call' | 'form' | 'wanted' | 'attempt'>, type: string): Promise<Answer> {
  const { call, form, attempt } = asked;
  const authority = await authorityOf(call.jar, attempt.tenant);
  const named = required(form, 'grant_type');
  const exchange = Object.hasOwn(GRANTS, type) ? GRANTS[type] : undefined;
  if (!exchange) throw identityErrors.UnsupportedGrant({ grant: named });
  const client = await authenticateClient(call, form);
  attempt.clientId = client.id;
  const answer = await exchange({ ...asked, authority, client });
  attempt.hasEnded = true;
  return answer;
}

function required(form: Form, name: string): string {
  const value = form[name];
  if (!value) throw identityErrors.MissingParameter({ name });
  return value;
}

async function clientCredentials(exchange: Exchange): Promise<Answer> {
  const { call, client, authority, wanted } = exchange;
  if (client.public) throw identityErrors.PublicClientCredentials({ client: client.id });
  if (!mayUse(authority, client)) {
    throw identityErrors.NotAuthorizedHere({
      client: client.id,
      tenant: authority.tenant?.displayName ?? authority.segment,
    });
  }
  const target = applicationTarget(exchange, wanted);
  return answer(exchange, target, await applicationToken(call, client, target, wanted.version), {});
}

async function authorizationCode(exchange: Exchange): Promise<Answer> {
  const { call, form, client } = exchange;
  const code = required(form, 'code');
  const verifier = form.code_verifier || undefined;
  if (call.headers.origin !== undefined && verifier === undefined) throw identityErrors.ProofKeyRequired();
  const grant = await findGrant(call.jar, code, (granted) => granted === client.id);
  const user = await stillThere(exchange, grant.userId);
  const target = targetOf(exchange, grant.wanted);
  const { offline } = target;
  const refresh = await redeemCode(call.jar, code, { redirectUri: form.redirect_uri, verifier, offline });
  return forUser(exchange, user, target, refresh, grant.code?.nonce);
}

async function refreshToken(exchange: Exchange): Promise<Answer> {
  const { call, form, client } = exchange;
  const token = required(form, 'refresh_token');
  const grant = await findGrant(call.jar, token, (granted) => mayShare(granted, client.id));
  const user = await stillThere(exchange, grant.userId);
  const target = targetOf(exchange, grant.wanted);
  return forUser(
    exchange,
    user,
    target,
    await renewRefreshToken(call.jar, token, { kept: isOfFamily(client.id) }),
    undefined,
  );
}

async function passwordGrant(exchange: Exchange): Promise<Answer> {
  const { call, form, authority, wanted, attempt } = exchange;
  attempt.username = form.username;
  const [username, password] = [required(form, 'username'), required(form, 'password')];
  const target = targetOf(exchange, undefined);
  const user = await checkPassword(call, authority, username, password);
  return forUser(exchange, user, target, await firstRefreshToken(exchange, user, target, wanted), undefined);
}

async function deviceCode(exchange: Exchange): Promise<Answer> {
  const { call, form, client } = exchange;
  const { userId, wanted } = await redeemDeviceCode(call.jar, form.device_code || required(form, 'code'), client.id);
  const user = await stillThere(exchange, userId ?? '');
  const target = targetOf(exchange, wanted);
  return forUser(exchange, user, target, await firstRefreshToken(exchange, user, target, wanted), undefined);
}

async function firstRefreshToken(
  { call, client }: Exchange,
  user: User,
  target: Target,
  wanted: Wanted,
): Promise<string | undefined> {
  return target.offline ? newRefreshToken(call.jar, { clientId: client.id, userId: user.id, wanted }) : undefined;
}

/** A later request may ask for another resource or fewer scopes; without either, the original grant applies. */
function targetOf(exchange: Exchange, granted: Wanted | undefined): Target {
  const { version, resource, scope } = exchange.wanted;
  const says = version === '1.0' ? resource : scope;
  return userTarget(exchange, granted && !says ? granted : exchange.wanted);
}

/** Throws if the user was deleted or disabled in the meantime, or may not use the tenant. */
async function stillThere({ call, authority, attempt }: Exchange, userId: string): Promise<User> {
  attempt.userId = userId;
  const user = await call.jar.directory.user(userId);
  if (!user) throw identityErrors.InvalidGrant();
  checkUser(authority, user);
  return user;
}

async function forUser(
  exchange: Exchange,
  user: User,
  target: Target,
  refresh: string | undefined,
  nonce: string | undefined,
): Promise<Answer> {
  const { call, client, form, wanted, authority } = exchange;
  const { version } = wanted;
  const member = memberAt(authority, user);
  const access = await userToken(call, client, member, target, version);
  const identity = target.openid || version === '1.0';
  return answer(exchange, target, access, {
    scope: target.granted,
    ...(refresh !== undefined && { refresh_token: refresh, ...familyOf(client) }),
    ...(identity && { id_token: await idToken(call, client, member, { version, nonce, accessToken: access.token }) }),
    ...(form.client_info === '1' && { client_info: clientInfo(user) }),
  });
}

/** The v1 endpoint writes numbers as text and repeats the resource. */
function answer(
  { wanted, attempt }: Exchange,
  target: Target,
  { token, expiresIn, expiresOn }: IssuedToken,
  more: Record<string, string>,
): Answer {
  attempt.target = target;
  if (wanted.version === '2.0') {
    return ok({ token_type: 'Bearer', expires_in: expiresIn, ext_expires_in: expiresIn, access_token: token, ...more });
  }
  const until = Math.floor(expiresOn / 1000);
  return ok({
    token_type: 'Bearer',
    expires_in: String(expiresIn),
    ext_expires_in: String(expiresIn),
    expires_on: String(until),
    not_before: String(until - expiresIn),
    resource: target.audience,
    access_token: token,
    ...more,
  });
}
