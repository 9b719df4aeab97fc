import { Type } from 'typebox';
import { READ_ONLY_CLAIM } from '../../../kernel/auth/index.ts';
import type { Answer, Route } from '../../../kernel/http/index.ts';
import { countWrongCredential, retryHeaders } from '../../../kernel/limits/index.ts';
import { identify, type VerifiedIdentity } from '../access/authenticate.ts';
import { TOKEN_PREFIX } from '../access/token-value.ts';
import type { Account, Principal } from '../accounts/collections.ts';
import { GatewayError } from '../errors.ts';
import { type PlatformCall, route } from '../jar.ts';
import { WRONG_GRANTS } from '../limits/wrong-credentials.ts';
import { authenticateClient, type Form, type Presented, presented } from './clients.ts';
import { oidcErrors } from './errors.ts';
import { federated } from './federation.ts';
import { unverified } from './foreign-token.ts';
import { type Redeemed, redeemCode, redeemRefreshToken } from './grants.ts';
import { tokenAnswer } from './issue.ts';
import { accountById, accountNamed } from './place.ts';
import { readScope } from './scope.ts';

/** A request for a token. */
interface Exchange {
  readonly call: PlatformCall;
  readonly form: Form;
  readonly client: Presented;
  /** The account of the path or the workspace. */
  readonly account: Account | undefined;
}

const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';

const GRANTS: Readonly<Record<string, (exchange: Exchange) => Promise<Answer>>> = {
  client_credentials: clientCredentials,
  authorization_code: authorizationCode,
  refresh_token: refreshToken,
  [TOKEN_EXCHANGE]: tokenExchange,
};

export const GRANT_TYPES = Object.keys(GRANTS);

function required(form: Form, name: string): string {
  const value = form[name];
  if (!value) throw oidcErrors.invalid_request__Missing({ name });
  return value;
}

async function clientCredentials({ call, form, client, account }: Exchange): Promise<Answer> {
  const asked = readScope(form.scope);
  const { scopes, ...found } = await authenticateClient(call, client, account);
  return tokenAnswer(call, { ...found, scope: scopes ? readScope(form.scope, scopes) : asked });
}

async function authorizationCode({ call, form, client: { clientId } }: Exchange): Promise<Answer> {
  const code = required(form, 'code');
  if (clientId === undefined) throw oidcErrors.invalid_request__Missing({ name: 'client_id' });
  const proof = { clientId, redirectUri: form.redirect_uri, verifier: form.code_verifier || undefined };
  return forGrant(call, await redeemCode(call.jar, code, proof), 'code');
}

async function refreshToken({ call, form, client: { clientId } }: Exchange): Promise<Answer> {
  const token = required(form, 'refresh_token');
  if (clientId === undefined) throw oidcErrors.invalid_request__Missing({ name: 'client_id' });
  return forGrant(call, await redeemRefreshToken(call.jar, token, clientId), 'refresh token');
}

async function forGrant(call: PlatformCall, redeemed: Redeemed | undefined, what: string): Promise<Answer> {
  if (!redeemed)
    throw await wrongGrant(call, `The ${what} is unknown, has expired, was already used or belongs to another client.`);
  const { grant, refreshToken: refresh } = redeemed;
  const { accountId, principal, clientId, scope } = grant;
  const found = await activePrincipal(call, { accountId, principalId: principal });
  return tokenAnswer(call, { ...found, clientId, scope }, refresh === undefined ? {} : { refresh_token: refresh });
}

async function activePrincipal(
  call: PlatformCall,
  { accountId, principalId }: VerifiedIdentity,
): Promise<{ readonly account: Account; readonly principal: Principal }> {
  const account = await accountById(call, accountId);
  const principal = (await call.jar.callerIdentities.of(accountId, principalId))?.principal;
  if (!account || !principal?.active) throw oidcErrors.invalid_grant({ reason: 'The user is unknown or deactivated.' });
  return { account, principal };
}

const SUBJECT_TYPES = {
  accessToken: 'urn:databricks:params:oauth:token-type:personal-access-token',
  jwt: 'urn:ietf:params:oauth:token-type:jwt',
} as const;
const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token';

/** RFC 8693: exchanges a personal access token, or a token of the directory. */
async function tokenExchange({ call, form, account: named }: Exchange): Promise<Answer> {
  const subject = required(form, 'subject_token');
  const type = required(form, 'subject_token_type');
  const isAccessToken = type === SUBJECT_TYPES.accessToken;
  if (!isAccessToken && type !== SUBJECT_TYPES.jwt)
    throw oidcErrors.invalid_request({ reason: `The subject_token_type '${type.slice(0, 200)}' is not supported.` });
  if (form.requested_token_type && form.requested_token_type !== ACCESS_TOKEN)
    throw oidcErrors.invalid_request({ reason: `The requested_token_type must be '${ACCESS_TOKEN}'.` });
  const asked = readScope(form.scope);
  if (subject.startsWith(TOKEN_PREFIX) !== isAccessToken)
    throw await wrongGrant(call, 'The subject_token does not have the type in subject_token_type.');
  // A token of a person who may only look would be exchanged for one that may change something.
  if (!isAccessToken && unverified(subject)?.[READ_ONLY_CLAIM] !== undefined)
    throw await wrongGrant(call, 'The subject_token may only read, and is not exchanged.');
  const clientId = form.client_id || undefined;
  const more = { issued_token_type: ACCESS_TOKEN };
  const other = isAccessToken ? undefined : await federated(call, subject, clientId, named);
  if (other) {
    if (!other.principal.active) throw oidcErrors.invalid_grant({ reason: 'The user is deactivated.' });
    return tokenAnswer(call, { ...other, clientId: clientId ?? other.principal.id, scope: asked }, more);
  }
  const identified = await identifySubject(call, subject);
  const found = await activePrincipal(call, identified);
  if (named && named.id !== found.account.id)
    throw await wrongGrant(call, 'The subject_token belongs to another account.');
  const isOwn = clientId === undefined || clientId.toLowerCase() === found.principal.applicationId?.toLowerCase();
  if (!isAccessToken && !isOwn)
    throw await wrongGrant(call, `No federation policy of '${clientId.slice(0, 100)}' accepts the subject_token.`);
  const { workspaceId, expiresAt, scopes } = identified;
  return tokenAnswer(
    call,
    {
      ...found,
      clientId: clientId ?? found.principal.id,
      scope: scopes ? readScope(form.scope, scopes) : asked,
      ...(workspaceId !== undefined && { workspaceId }),
      ...(expiresAt !== undefined && { notAfter: expiresAt }),
    },
    more,
  );
}

async function identifySubject(call: PlatformCall, subject: string): Promise<VerifiedIdentity> {
  try {
    return await identify(call, subject);
  } catch (error) {
    if (!(error instanceof GatewayError) || error.status === 429) throw error;
    throw oidcErrors.invalid_grant({ reason: 'The subject_token is unknown or expired.' });
  }
}

async function wrongGrant({ jar, remoteAddress }: PlatformCall, reason: string) {
  const tooMany = await countWrongCredential({ jar, remoteAddress, limits: [WRONG_GRANTS] });
  return tooMany
    ? oidcErrors.invalid_grant__Slow({ seconds: tooMany.retryAfterSeconds }, { headers: retryHeaders(tooMany) })
    : oidcErrors.invalid_grant({ reason });
}

async function answer(call: PlatformCall, form: Form, accountId: string | undefined): Promise<Answer> {
  const type = required(form, 'grant_type');
  const grant = Object.hasOwn(GRANTS, type) ? GRANTS[type] : undefined;
  if (!grant) throw oidcErrors.unsupported_grant_type({ grant: type.slice(0, 200) });
  const account = await accountNamed(call, accountId);
  if (accountId !== undefined && !account)
    throw oidcErrors.invalid_request({ reason: `There is no account ${accountId.slice(0, 100)}.` });
  return grant({ call, form, client: presented(call, form), account });
}

const TokenAnswer = Type.Object({ access_token: Type.String(), token_type: Type.String(), expires_in: Type.Integer() });

const common = {
  method: 'POST',
  open: true,
  accepts: 'form',
  body: Type.Record(Type.String(), Type.String()),
  bodyLimitBytes: 256 * 1024,
  traits: { errors: 'oauth' },
  responses: { 200: TokenAnswer },
} as const;

export const TOKEN_ROUTES: readonly Route[] = [
  route({
    ...common,
    path: '/oidc/v1/token',
    operation: 'Platform_oidc_token',
    summary: 'Issue tokens for a secret, a code, a refresh token or another token',
    handle: (call) => answer(call, call.body, undefined),
  }),
  route({
    ...common,
    path: '/oidc/accounts/{account_id}/v1/token',
    operation: 'Platform_oidc_accountToken',
    summary: 'The same within one account',
    handle: (call) => answer(call, call.body, call.params.account_id),
  }),
];
