import { type Static, Type } from 'typebox';
import { applications, knownOrigin, type Lifetime } from '../../../kernel/auth/index.ts';
import type { Answer, Route } from '../../../kernel/http/index.ts';
import { HOUR_MS } from '../../../kernel/time/index.ts';
import { PLATFORM_AUDIENCES } from '../access/audiences.ts';
import { byCaller } from '../access/authenticate.ts';
import { type PlatformCall, route } from '../jar.ts';
import { SIGN_IN_APPLICATION, SIGNED_IN_PATH } from './application.ts';
import { oidcErrors } from './errors.ts';
import { newCode } from './grants.ts';
import { accountNamed } from './place.ts';
import { readScope } from './scope.ts';

/**
 * Users sign in at the directory: `/authorize` redirects to the directory with the request sealed in `state`, the directory redirects back
 * with a token for the platform, and the client receives a code.
 */

/** The published public clients. They listen on any free port of the user's machine. */
const PUBLIC_CLIENTS: ReadonlySet<string> = new Set(['databricks-cli', 'databricks-sql-connector', 'dbt-databricks']);
const LOOPBACK = /^http:\/\/(?:localhost|127\.0\.0\.1)(?::\d{1,5})?(?:\/[\x21\x23-\x3b\x3d\x3f-\x5b\x5d-\x7e]*)?$/i;

const text = Type.Optional(Type.String());
const Parameters = Type.Object({
  response_type: text,
  client_id: text,
  redirect_uri: text,
  scope: text,
  state: text,
  code_challenge: text,
  code_challenge_method: text,
});

/** The sealed request, which passes through the directory's pages. */
interface Flow extends Lifetime {
  readonly kind: 'platform-sign-in';
  readonly clientId: string;
  readonly redirectUri: string;
  readonly scope: string;
  readonly state?: string;
  readonly challenge: string;
  readonly accountId?: string;
}

const FLOW_LIFETIME_MS = 4 * HOUR_MS;
/** Tenant used if nothing names an account, and thereby its tenant. */
const ANY_TENANT = 'organizations';

async function authorize(
  call: PlatformCall,
  asked: Static<typeof Parameters>,
  accountId: string | undefined,
): Promise<Answer> {
  const { client_id: clientId = '', redirect_uri: redirectUri = '', response_type: type = '' } = asked;
  // Errors up to here are not sent to the redirect URI, since it is not validated yet.
  if (!PUBLIC_CLIENTS.has(clientId))
    throw oidcErrors.unauthorized_client({ reason: `There is no client '${clientId.slice(0, 200)}'.` });
  if (!LOOPBACK.test(redirectUri))
    throw oidcErrors.invalid_request({ reason: 'The redirect_uri must be an http address of this machine.' });
  if (type !== 'code') throw oidcErrors.unsupported_response_type({ type: type.slice(0, 200) });
  const challenge = asked.code_challenge ?? '';
  if (asked.code_challenge_method !== 'S256' || !/^[\w-]{43}$/.test(challenge))
    throw oidcErrors.invalid_request({ reason: 'A code_challenge by the code_challenge_method S256 is required.' });
  const account = await accountNamed(call, accountId);
  if (accountId !== undefined && !account)
    throw oidcErrors.invalid_request({ reason: `There is no account ${accountId.slice(0, 100)}.` });
  const flow: Flow = {
    kind: 'platform-sign-in',
    clientId,
    redirectUri,
    scope: readScope(asked.scope),
    ...(asked.state !== undefined && { state: asked.state.slice(0, 2000) }),
    challenge,
    ...(account && { accountId: account.id }),
    ...call.jar.lifetimes.begin(FLOW_LIFETIME_MS),
  };
  await registerApplication(call.jar);
  const origin = knownOrigin(call);
  const query = new URLSearchParams({
    client_id: SIGN_IN_APPLICATION.id,
    response_type: 'token',
    response_mode: 'form_post',
    redirect_uri: origin + SIGNED_IN_PATH,
    scope: `${PLATFORM_AUDIENCES[0]}/.default`,
    state: call.jar.vault.seal(JSON.stringify(flow)),
  });
  return redirect(`${origin}/${account?.tenantId ?? ANY_TENANT}/oauth2/v2.0/authorize?${query}`);
}

/** A database that was seeded before this service existed lacks the application. */
async function registerApplication({ store, directory }: PlatformCall['jar']): Promise<void> {
  const { id } = SIGN_IN_APPLICATION;
  if (await directory.findApplication(id)) return;
  await store.transact((tx) => tx.put(applications, id, SIGN_IN_APPLICATION));
}

const redirect = (location: string): Answer => ({ status: 302, headers: { location, 'cache-control': 'no-store' } });

async function signedIn(call: PlatformCall, form: Readonly<Record<string, string>>): Promise<Answer> {
  const flow = openFlow(call, form.state ?? '');
  const token = form.access_token;
  if (!token) return back(flow, { error: 'access_denied', error_description: form.error_description ?? '' });
  const caller = await call.jar.tokens.verify(token).catch(() => undefined);
  // A token that was issued to another application must not sign in its user here.
  const isMeant = caller?.applicationId === SIGN_IN_APPLICATION.id && caller.audience === PLATFORM_AUDIENCES[0];
  if (!isMeant || caller.readOnly)
    return back(flow, { error: 'access_denied', error_description: 'The sign-in has failed.' });
  const { accountId, principalId } = await byCaller(call, caller);
  const standing = await call.jar.callerIdentities.of(accountId, principalId);
  if (!standing?.principal.active || (flow.accountId !== undefined && flow.accountId !== accountId))
    return back(flow, { error: 'access_denied', error_description: 'The user is not in this account.' });
  const { clientId, scope, redirectUri, challenge } = flow;
  const grant = { accountId, principal: principalId, clientId, scope };
  return back(flow, { code: await newCode(call.jar, grant, { redirectUri, challenge }) });
}

function openFlow({ jar }: PlatformCall, sealed: string): Flow {
  const flow = opened(jar.vault, sealed);
  if (flow && !jar.lifetimes.isOver(flow)) return flow;
  throw oidcErrors.invalid_request({ reason: 'This sign-in has expired or was not started here. Start it again.' });
}

function opened(vault: PlatformCall['jar']['vault'], sealed: string): Flow | undefined {
  try {
    const flow: Flow = JSON.parse(vault.open(sealed));
    return flow.kind === 'platform-sign-in' ? flow : undefined;
  } catch {
    return undefined;
  }
}

function back({ redirectUri, state }: Flow, outcome: Readonly<Record<string, string>>): Answer {
  const query = new URLSearchParams({ ...outcome, ...(state !== undefined && { state }) });
  return redirect(`${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${query}`);
}

const common = {
  open: true,
  secretBodies: true,
  traits: { errors: 'oauth' },
  responses: { 302: 'Elsewhere' },
} as const;

export const AUTHORIZE_ROUTES: readonly Route[] = [
  route({
    ...common,
    method: 'GET',
    path: '/oidc/v1/authorize',
    operation: 'Platform_oidc_authorize',
    summary: 'Redirect a user to the sign-in page, and back to the client with a code',
    query: Parameters,
    handle: (call) => authorize(call, call.query, undefined),
  }),
  route({
    ...common,
    method: 'GET',
    path: '/oidc/accounts/{account_id}/v1/authorize',
    operation: 'Platform_oidc_accountAuthorize',
    summary: 'The same within one account',
    query: Parameters,
    handle: (call) => authorize(call, call.query, call.params.account_id),
  }),
  route({
    ...common,
    method: 'POST',
    path: SIGNED_IN_PATH,
    operation: 'Platform_oidc_signedIn',
    summary: 'Complete a sign-in; the sign-in page redirects here',
    accepts: 'form',
    bodyLimitBytes: 256 * 1024,
    body: Type.Record(Type.String(), Type.String()),
    handle: (call) => signedIn(call, call.body),
  }),
];
