import { knownOrigin } from '../../../kernel/auth/index.ts';
import { type Answer, ok, type Route } from '../../../kernel/http/index.ts';
import { ALL_APIS, API_SCOPES } from '../access/scopes.ts';
import { type PlatformCall, route } from '../jar.ts';
import { oidcErrors } from './errors.ts';
import { accountById, accountNamed } from './place.ts';
import { GRANT_TYPES } from './token-endpoint.ts';

/** Metadata documents with the endpoints, and redirects to the directory. */

function metadata(base: string) {
  return {
    issuer: base,
    authorization_endpoint: `${base}/v1/authorize`,
    token_endpoint: `${base}/v1/token`,
    response_types_supported: ['code'],
    grant_types_supported: GRANT_TYPES,
    scopes_supported: [ALL_APIS, ...Object.keys(API_SCOPES), 'openid', 'profile', 'email', 'offline_access'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
  };
}

const ANY_TENANT = 'organizations';

/** Redirects to the directory of the workspace's tenant; without a workspace, to the sign-in page for all tenants. */
async function toDirectory(call: PlatformCall, path: string): Promise<Answer> {
  const tenant = (await accountNamed(call, undefined))?.tenantId ?? ANY_TENANT;
  const [, query = ''] = call.url.split('?', 2);
  const location = `${knownOrigin(call)}/${tenant}/oauth2${path}/authorize${query === '' ? '' : `?${query}`}`;
  return { status: 302, headers: { location } };
}

const common = { method: 'GET', open: true, traits: { errors: 'oauth' } } as const;

export const METADATA_ROUTES: readonly Route[] = [
  route({
    ...common,
    path: '/oidc/.well-known/oauth-authorization-server',
    operation: 'Platform_oidc_metadata',
    summary: 'Read the OAuth metadata',
    handle: (call) => ok(metadata(`${knownOrigin(call)}/oidc`)),
  }),
  route({
    ...common,
    path: '/oidc/accounts/{account_id}/.well-known/oauth-authorization-server',
    operation: 'Platform_oidc_accountMetadata',
    summary: 'Read the OAuth metadata of an account',
    async handle(call) {
      const { account_id: id } = call.params;
      const account = await accountById(call, id);
      if (!account) throw oidcErrors.invalid_request({ reason: `There is no account ${id.slice(0, 100)}.` });
      return ok(metadata(`${knownOrigin(call)}/oidc/accounts/${account.id}`));
    },
  }),
  route({
    ...common,
    path: '/oidc/oauth2/v2.0/authorize',
    operation: 'Platform_oidc_directory',
    summary: "Redirect to the directory's page, from which clients learn the addresses of the directory",
    responses: { 302: "The directory's page" },
    handle: (call) => toDirectory(call, '/v2.0'),
  }),
  route({
    ...common,
    path: '/aad/auth',
    operation: 'Platform_oidc_tenant',
    summary: "Redirect to the directory's page, from which clients learn the tenant",
    responses: { 302: "The directory's page" },
    handle: (call) => toDirectory(call, ''),
  }),
];
