import fc from 'fast-check';
import { expect, it } from 'vitest';
import { onBothStores } from '../../../support/jars.ts';
import { postForm } from '../oidc/support.ts';
import { ACCOUNT } from '../sdk.ts';
import { person } from '../support.ts';

const PATHS: readonly (readonly [method: string, path: string])[] = [
  ['POST', '/token/create'],
  ['POST', '/token/delete'],
  ['PATCH', '/token/x'],
  ['POST', '/token-management/on-behalf-of/tokens'],
  ['PATCH', '/token-management/tokens/x'],
  ['POST', '/secrets/scopes/create'],
  ['POST', '/secrets/scopes/delete'],
  ['POST', '/secrets/put'],
  ['POST', '/secrets/delete'],
  ['POST', '/secrets/acls/put'],
  ['POST', '/secrets/acls/delete'],
  ['POST', '/ip-access-lists'],
  ['PUT', '/ip-access-lists/x'],
  ['PATCH', '/workspace-conf'],
  ['PATCH', `/accounts/${ACCOUNT}/settings/types/acct_ip_acl_enable/names/default`],
  ['POST', `/accounts/${ACCOUNT}/servicePrincipals/1/credentials/secrets`],
  ['POST', `/accounts/${ACCOUNT}/federationPolicies`],
];

const NAMES = [
  ...['comment', 'lifetime_seconds', 'scopes', 'token_id', 'token', 'update_mask', 'application_id', 'scope', 'key'],
  ...['string_value', 'bytes_value', 'principal', 'permission', 'label', 'list_type', 'ip_addresses', 'enabled'],
  ...[
    'enableIpAccessLists',
    'setting',
    'acct_ip_acl_enable',
    'value',
    'lifetime',
    'oidc_policy',
    'issuer',
    '__proto__',
  ],
];
const WORDS = [
  '',
  'x',
  's',
  'ALLOW',
  'MANAGE',
  'users',
  '127.0.0.1',
  'true',
  '3600s',
  '\u0000',
  '\ud800',
  'ü'.repeat(300),
];

const leaf = fc.oneof(
  fc.constantFrom(...WORDS),
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
  fc.string(),
);
const { value: anything } = fc.letrec((tie) => ({
  value: fc.oneof({ depthSize: 'small' }, leaf, fc.array(tie('value'), { maxLength: 3 }), tie('object')),
  object: fc.dictionary(fc.constantFrom(...NAMES), tie('value'), { maxKeys: 6 }),
}));

onBothStores('data platform: hostile input for credentials', (bench) => {
  it('no body makes an operation fail in an unexpected way', async () => {
    const ask = await person(bench);
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...PATHS), anything, async ([method, path], body) => {
        const reply = await ask(method, path, body ?? {});
        expect(reply.status, `${method} ${path} ${JSON.stringify(body)}: ${reply.text}`).toBeLessThan(500);
        if (reply.status >= 400) expect(reply.body.error_code).toBeDefined();
      }),
      { numRuns: 120 },
    );
  });

  it('no form makes an endpoint of OAuth fail in an unexpected way', async () => {
    const grants = ['client_credentials', 'authorization_code', 'refresh_token', 'constructor', ''];
    const exchanged = 'urn:ietf:params:oauth:grant-type:token-exchange';
    const form = fc.record(
      {
        grant_type: fc.constantFrom(...grants, exchanged),
        client_id: fc.constantFrom('', 'databricks-cli', '__proto__', 'x'.repeat(5000)),
        client_secret: fc.string(),
        scope: fc.string(),
        code: fc.constantFrom('.', 'a.', '.b', 'a.b.c', ''),
        refresh_token: fc.string(),
        subject_token: fc.constantFrom('dapi', 'a.b.c', 'eyJhbGciOiJub25lIn0.eyJpc3MiOiJ4In0.', ''),
        subject_token_type: fc.constantFrom('urn:ietf:params:oauth:token-type:jwt', 'x'),
        redirect_uri: fc.webUrl(),
        code_verifier: fc.string(),
        state: fc.string(),
        access_token: fc.string(),
      },
      { requiredKeys: [] },
    );
    const paths = ['/oidc/v1/token', `/oidc/accounts/${ACCOUNT}/v1/token`, '/oidc/v1/signed-in'];
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...paths), form, async (path, fields) => {
        const reply = await postForm({ call: (...given) => bench.call(...given) }, path, fields);
        expect(reply.status, `${path} ${JSON.stringify(fields)}: ${reply.text}`).toBeLessThan(500);
        expect(reply.status).toBeGreaterThanOrEqual(400);
        expect(reply.body.error ?? reply.body.error_code).toBeDefined();
      }),
      { numRuns: 80 },
    );
  });
});
