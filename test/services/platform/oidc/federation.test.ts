import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { OTHER_TENANT, SEED_TENANT } from '../../../../src/kernel/auth/index.ts';
import { accountIdOf } from '../../../../src/services/platform/accounts/found-account.ts';
import { onAnyStore, onBothStores } from '../../../support/jars.ts';
import { ACCOUNT, APPLICATION } from '../sdk.ts';
import { type Ask, by, control, good, person, refusal } from '../support.ts';
import { exchange, JWT, postForm, TOKEN } from './support.ts';

const POLICIES = `/accounts/${ACCOUNT}/federationPolicies`;
const ISSUER = 'https://issuer.example';
const SUBJECT = 'repo:vendor/app:ref:main';

type Keys = Awaited<ReturnType<typeof generateKeyPair>>;
let keys: Keys;
let jwks: string;

beforeAll(async () => {
  keys = await generateKeyPair('ES256');
  jwks = JSON.stringify({ keys: [{ ...(await exportJWK(keys.publicKey)), kid: 'one', alg: 'ES256' }] });
});

const signed = (claims: Record<string, unknown> = {}, by_ = keys): Promise<string> =>
  new SignJWT({ iss: ISSUER, aud: ACCOUNT, sub: SUBJECT, exp: 4_000_000_000, ...claims })
    .setProtectedHeader({ alg: 'ES256', kid: 'one' })
    .sign(by_.privateKey);

const idOf = async (admin: Ask): Promise<string> => {
  const filter = encodeURIComponent(`applicationId eq "${APPLICATION}"`);
  return (await good(admin('GET', `/preview/scim/v2/ServicePrincipals?filter=${filter}`))).Resources[0].id;
};

onBothStores('data platform: federation', (bench) => {
  beforeEach(() => bench.jar.reset());
  const ask = (form: Readonly<Record<string, string>>) =>
    postForm({ call: (...given) => bench.call(...given) }, TOKEN, form);

  it('a workload works as a service principal with a token of its own issuer', async () => {
    const admin = await person(bench);
    const path = `/accounts/${ACCOUNT}/servicePrincipals/${await idOf(admin)}/federationPolicies`;
    const oidc_policy = { issuer: ISSUER, subject: SUBJECT, jwks_json: jwks };
    const made = await good(admin('POST', `${path}?policy_id=ci`, { description: 'CI', oidc_policy }));
    expect(made).toMatchObject({
      policy_id: 'ci',
      name: expect.stringMatching(/^accounts\/.*\/servicePrincipals\/\d+\/federationPolicies\/ci$/),
      oidc_policy: { ...oidc_policy, subject_claim: 'sub' },
    });
    const form = { ...exchange(await signed(), JWT), client_id: APPLICATION };
    const reply = await ask(form);
    expect(reply.status, reply.text).toBe(200);
    await good(by(bench, reply.body.access_token)('GET', '/secrets/scopes/list'));
    const stranger = await generateKeyPair('ES256');
    for (const token of [
      await signed({ sub: 'repo:vendor/app:ref:other' }),
      await signed({ aud: 'another' }),
      await signed({ iss: 'https://other.example' }),
      await signed({ exp: 1 }),
      await signed({}, stranger),
    ])
      expect((await ask({ ...form, subject_token: token })).body).toMatchObject({ error: 'invalid_grant' });
    const { client_id: _none, ...without } = form;
    expect((await ask(without)).body).toMatchObject({ error: 'invalid_grant' });
    await good(admin('DELETE', `${path}/ci`));
    expect((await ask(form)).body).toMatchObject({ error: 'invalid_grant' });
  });

  it('a policy of the account lets tokens name the user', async () => {
    const admin = await person(bench);
    await good(admin('POST', POLICIES, { oidc_policy: { issuer: ISSUER, subject_claim: 'email', jwks_json: jwks } }));
    const { policies } = await good(admin('GET', POLICIES));
    expect(policies).toHaveLength(1);
    const reply = await ask(exchange(await signed({ email: 'Licensed@vendor.example' }), JWT));
    expect(reply.status, reply.text).toBe(200);
    const { token_info } = await good(by(bench, reply.body.access_token)('POST', '/token/create', {}));
    expect(await good(admin('GET', `/token-management/tokens/${token_info.token_id}`))).toMatchObject({
      token_info: { created_by_username: 'licensed@vendor.example' },
    });
    expect((await ask(exchange(await signed({ email: 'nobody@vendor.example' }), JWT))).status).toBe(400);
  });
});

onAnyStore('data platform: rules of federation policies', (bench) => {
  beforeEach(() => bench.jar.reset());
  const ask = (form: Readonly<Record<string, string>>) =>
    postForm({ call: (...given) => bench.call(...given) }, TOKEN, form);

  it('the directory of the jar is an issuer for service principals, and its tokens cannot be mapped to other principals', async () => {
    const [admin, other] = [await person(bench), await person(bench, 'other')];
    const audience = 'https://platform.vendor.example';
    const token = await bench.jar.token({ user: 'licensed', audience });
    const { iss } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    expect(new URL(iss).pathname).toContain(SEED_TENANT);
    const oidc_policy = {
      issuer: iss,
      audiences: [audience],
      subject_claim: 'upn',
      subject: 'licensed@vendor.example',
    };
    const path = `/accounts/${ACCOUNT}/servicePrincipals/${await idOf(admin)}/federationPolicies`;
    await good(admin('POST', path, { oidc_policy }));
    const asProgram = await ask({ ...exchange(token, JWT), client_id: APPLICATION });
    expect(asProgram.status, asProgram.text).toBe(200);
    const elsewhere = `/accounts/${accountIdOf(OTHER_TENANT)}/federationPolicies`;
    const { subject: _none, ...trap } = oidc_policy;
    await good(other('POST', elsewhere, { oidc_policy: trap }));
    const { body } = await ask(exchange(token, JWT));
    const { token_info } = await good(by(bench, body.access_token)('POST', '/token/create', {}));
    await good(admin('GET', `/token-management/tokens/${token_info.token_id}`));
  });

  it('a policy is changed, and at most twenty exist', async () => {
    const admin = await person(bench);
    const oidc_policy = { issuer: ISSUER };
    const made = await good(admin('POST', `${POLICIES}?policy_id=p`, { oidc_policy }));
    const changed = await good(admin('PATCH', `${POLICIES}/p?update_mask=description`, { description: 'new' }));
    expect(changed).toEqual({ ...made, description: 'new', update_time: expect.any(String) });
    expect(await good(admin('GET', `${POLICIES}/p`))).toEqual(changed);
    expect(refusal(await admin('POST', `${POLICIES}?policy_id=p`, { oidc_policy }))).toMatchObject({ status: 409 });
    await control(bench, 'PATCH', 'limits', { name: 'platform.federation-policies', limit: 3 });
    const replies = await Promise.all([1, 2, 3, 4].map(() => admin('POST', POLICIES, { oidc_policy })));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(2);
    await good(admin('DELETE', `${POLICIES}/p`));
    await good(admin('POST', POLICIES, { oidc_policy }));
  });

  describe('bad requests', () => {
    const issuer = ISSUER;
    const cases: readonly [string, string, unknown, string][] = [
      ['no issuer', '', { oidc_policy: {} }, 'INVALID_PARAMETER_VALUE'],
      ['no policy', '', {}, 'INVALID_PARAMETER_VALUE'],
      ['an issuer that is no URL', '', { oidc_policy: { issuer: 'x' } }, 'INVALID_PARAMETER_VALUE'],
      ['a subject for the account', '', { oidc_policy: { issuer, subject: 'x' } }, 'INVALID_PARAMETER_VALUE'],
      ['keys that are none', '', { oidc_policy: { issuer, jwks_json: '[]' } }, 'INVALID_PARAMETER_VALUE'],
      ['an id in capitals', '?policy_id=X', { oidc_policy: { issuer } }, 'INVALID_PARAMETER_VALUE'],
      ['a policy that is a text', '', { oidc_policy: 'x' }, 'MALFORMED_REQUEST'],
    ];
    it.each(cases)('%s', async (_title, query, body, code) => {
      const admin = await person(bench);
      expect(refusal(await admin('POST', POLICIES + query, body)).code).toBe(code);
      expect(await good(admin('GET', POLICIES))).toEqual({ policies: [] });
    });

    it('a missing policy, and a caller without permission', async () => {
      const [admin, user] = [await person(bench), await person(bench, 'licensed')];
      expect(refusal(await admin('GET', `${POLICIES}/none`))).toMatchObject({ status: 404, code: 'NOT_FOUND' });
      expect((await user('GET', POLICIES)).status).toBe(403);
    });
  });
});
