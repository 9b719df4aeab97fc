import { Type } from 'typebox';
import { issuerOf, knownOrigin } from '../../kernel/auth/index.ts';
import { ok, type Route } from '../../kernel/http/index.ts';
import type { Call } from '../../kernel/service/index.ts';
import type { Wanted } from './collections.ts';
import { route } from './family.ts';
import { authorityOf, ON_PREMISES } from './tenants.ts';
import { GRANT_TYPES } from './token.ts';

/** Discovery documents, at the addresses where client libraries look for them. */

const CORS = { cors: true } as const;
const Metadata = Type.Object({ issuer: Type.String(), jwks_uri: Type.String() });

/** If users of every tenant may sign in, the issuer is not known in advance; clients substitute the token's tenant here. */
const TEMPLATE = '{tenantid}';

export const discoveryRoutes: readonly Route[] = [
  metadataAt('/{tenant}/.well-known/openid-configuration', '1.0', 'Identity_Metadata'),
  metadataAt('/{tenant}/v2.0/.well-known/openid-configuration', '2.0', 'Identity_MetadataV2'),
  keysAt('/{tenant}/discovery/keys', 'Identity_Keys'),
  keysAt('/{tenant}/discovery/v2.0/keys', 'Identity_KeysV2'),
];

type MetadataPath = '/{tenant}/.well-known/openid-configuration' | '/{tenant}/v2.0/.well-known/openid-configuration';

function metadataAt(path: MetadataPath, version: Wanted['version'], operation: string): Route {
  return route({
    method: 'GET',
    path,
    operation,
    summary: 'The OpenID Connect discovery document',
    open: true,
    traits: CORS,
    responses: { 200: Metadata },
    handle: async (call) => ok(await metadata(call, call.params.tenant, version)),
  });
}

async function metadata(call: Call, tenant: string, asked: Wanted['version']): Promise<Record<string, unknown>> {
  const authority = await authorityOf(call.jar, tenant);
  // An on-premises server has one discovery document, whose endpoints use scopes.
  const version = authority.segment === ON_PREMISES ? '2.0' : asked;
  const origin = knownOrigin(call);
  const base = `${origin}/${authority.segment}`;
  const infix = version === '1.0' ? '' : '/v2.0';
  return {
    issuer: issuerOf(origin, authority.tenant?.id ?? TEMPLATE, version),
    authorization_endpoint: `${base}/oauth2${infix}/authorize`,
    token_endpoint: `${base}/oauth2${infix}/token`,
    end_session_endpoint: `${base}/oauth2${infix}/logout`,
    userinfo_endpoint: `${base}/openid/userinfo`,
    jwks_uri: `${base}/discovery${infix}/keys`,
    device_authorization_endpoint: `${base}/oauth2${infix}/devicecode`,
    token_endpoint_auth_methods_supported: ['client_secret_post', 'private_key_jwt', 'client_secret_basic'],
    token_endpoint_auth_signing_alg_values_supported: ['RS256', 'PS256'],
    response_types_supported: [
      'code',
      'id_token',
      'token',
      'id_token token',
      'code id_token',
      'code token',
      'code id_token token',
    ],
    response_modes_supported: ['query', 'fragment', 'form_post'],
    grant_types_supported: [...GRANT_TYPES, 'implicit'],
    code_challenge_methods_supported: ['S256', 'plain'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    scopes_supported: ['openid', 'profile', 'email', 'offline_access'],
    claims_supported: [
      'sub',
      'iss',
      'aud',
      'exp',
      'iat',
      'nonce',
      'at_hash',
      'c_hash',
      'oid',
      'tid',
      'name',
      'preferred_username',
      'email',
    ],
    prompt_values_supported: ['none', 'login', 'select_account', 'consent'],
    request_uri_parameter_supported: false,
    http_logout_supported: false,
    frontchannel_logout_supported: false,
    tenant_region_scope: null,
    cloud_instance_name: new URL(origin).host,
  };
}

function keysAt(path: '/{tenant}/discovery/keys' | '/{tenant}/discovery/v2.0/keys', operation: string): Route {
  return route({
    method: 'GET',
    path,
    operation,
    summary: 'The public keys that tokens are signed with',
    open: true,
    traits: CORS,
    responses: { 200: Type.Object({ keys: Type.Array(Type.Object({ kid: Type.String() })) }) },
    async handle(call) {
      await authorityOf(call.jar, call.params.tenant);
      return ok(await call.jar.keys.jwks());
    },
  });
}
