import { beforeEach, describe, expect, it } from 'vitest';
import { onAnyStore, onBothStores } from '../../../support/jars.ts';
import { ACCOUNT, APPLICATION, APPLICATION_SECRET } from '../sdk.ts';
import { by, control, good, person, refusal } from '../support.ts';
import { basic, exchange, JWT, PERSONAL_ACCESS_TOKEN, postForm, TOKEN } from './support.ts';

const SECRETS = '/secrets/scopes/list';
const CREDENTIALS = { grant_type: 'client_credentials', scope: 'all-apis' };

onBothStores('data platform: OAuth', (bench) => {
  beforeEach(() => bench.jar.reset());
  const ask = (form: Readonly<Record<string, string>>, headers = {}, path = TOKEN) =>
    postForm({ call: (...given) => bench.call(...given) }, path, form, headers);

  async function principalId(): Promise<number> {
    const admin = await person(bench);
    const made = await good(admin('POST', '/token-management/on-behalf-of/tokens', { application_id: APPLICATION }));
    await good(admin('DELETE', `/token-management/tokens/${made.token_info.token_id}`));
    return made.token_info.owner_id;
  }

  it('a service principal gets tokens for its secrets, by Basic and by form, at both endpoints', async () => {
    const admin = await person(bench);
    const path = `/accounts/${ACCOUNT}/servicePrincipals/${await principalId()}/credentials/secrets`;
    const made = await good(admin('POST', path, { lifetime: '3600s' }));
    expect(made).toMatchObject({ status: 'ACTIVE', secret: expect.stringMatching(/^dose[0-9a-f]{32}$/) });
    const { secret, ...shown } = made;
    expect(await good(admin('GET', path))).toEqual({ secrets: [shown] });
    const form = { ...CREDENTIALS, client_id: APPLICATION, client_secret: secret };
    for (const reply of [
      await ask(CREDENTIALS, basic(APPLICATION, secret)),
      await ask(form),
      await ask(form, {}, `/oidc/accounts/${ACCOUNT}/v1/token`),
    ]) {
      expect(reply.body).toMatchObject({ token_type: 'Bearer', scope: 'all-apis' });
      expect(reply.body.expires_in).toBeTypeOf('number');
      expect(reply.headers.get('cache-control')).toBe('no-store');
      await good(by(bench, reply.body.access_token)('GET', SECRETS));
    }
    await bench.jar.clock.advance('1h');
    expect((await ask(form)).body).toMatchObject({ error: 'invalid_client' });
    expect(await good(admin('GET', path))).toEqual({ secrets: [] });
  });

  it('a service principal has five secrets at most, which expire and are revoked', async () => {
    const admin = await person(bench);
    const path = `/accounts/servicePrincipals/${await principalId()}/credentials/secrets`;
    const made = await Promise.all(Array.from({ length: 8 }, () => admin('POST', path, {})));
    const passed = made.filter(({ status }) => status === 200);
    expect(passed).toHaveLength(5);
    expect(refusal(await admin('POST', path, {}))).toMatchObject({ status: 400, code: 'RESOURCE_LIMIT_EXCEEDED' });
    await good(admin('DELETE', `${path}/${passed[0]?.body.id}`));
    await good(admin('POST', path, {}));
    await bench.jar.clock.advance('731d');
    expect(await good(admin('GET', path))).toEqual({ secrets: [] });
  });

  it('tokens of the directory and personal access tokens are exchanged', async () => {
    const directory = await bench.jar.token({ user: 'licensed', ttl: '3650d' });
    const { token_value } = await good(by(bench, directory)('POST', '/token/create', { lifetime_seconds: 600 }));
    const fromDirectory = await ask(exchange(directory, JWT));
    expect(fromDirectory.body).toMatchObject({ issued_token_type: 'urn:ietf:params:oauth:token-type:access_token' });
    await good(by(bench, fromDirectory.body.access_token)('GET', SECRETS));
    const fromToken = await ask(exchange(token_value, PERSONAL_ACCESS_TOKEN));
    expect(fromToken.body.expires_in).toBe(600);
    const exchanged = by(bench, fromToken.body.access_token);
    await good(exchanged('GET', SECRETS));
    // Like the token it was exchanged for, it is valid in one workspace only.
    expect((await exchanged('GET', SECRETS, undefined, { 'x-databricks-workspace-id': '1' })).status).toBe(403);
    await bench.jar.clock.advance('10m');
    expect((await exchanged('GET', SECRETS)).status).toBe(403);
    expect((await ask(exchange(token_value, PERSONAL_ACCESS_TOKEN))).body).toMatchObject({ error: 'invalid_grant' });
  });
});

onAnyStore('data platform: rules of OAuth', (bench) => {
  beforeEach(() => bench.jar.reset());
  const ask = (form: Readonly<Record<string, string>>, headers = {}, path = TOKEN) =>
    postForm({ call: (...given) => bench.call(...given) }, path, form, headers);
  const client = { client_id: APPLICATION, client_secret: APPLICATION_SECRET };

  describe('refusals have the form of RFC 6749', () => {
    const cases: readonly [string, Record<string, string>, number, string][] = [
      ['no grant', {}, 400, 'invalid_request'],
      ['an unknown grant', { grant_type: 'toString' }, 400, 'unsupported_grant_type'],
      ['no client', CREDENTIALS, 401, 'invalid_client'],
      ['a wrong secret', { ...CREDENTIALS, ...client, client_secret: 'x' }, 401, 'invalid_client'],
      ['an unknown client', { ...CREDENTIALS, ...client, client_id: 'x' }, 401, 'invalid_client'],
      [
        'a public client',
        { ...CREDENTIALS, ...client, client_id: '04b07795-8ddb-461a-bbee-02f9e1bf7b46' },
        401,
        'invalid_client',
      ],
      ['a strange scope', { ...CREDENTIALS, ...client, scope: 'a"b' }, 400, 'invalid_scope'],
      ['no code', { grant_type: 'authorization_code', client_id: 'databricks-cli' }, 400, 'invalid_request'],
      [
        'a wrong code',
        { grant_type: 'authorization_code', client_id: 'databricks-cli', code: 'a.b' },
        400,
        'invalid_grant',
      ],
      [
        'a wrong refresh token',
        { grant_type: 'refresh_token', client_id: 'x', refresh_token: 'y' },
        400,
        'invalid_grant',
      ],
      ['a wrong access token', exchange('dapi0', PERSONAL_ACCESS_TOKEN), 400, 'invalid_grant'],
      ['a wrong token of the directory', exchange('a.b.c', JWT), 400, 'invalid_grant'],
      ['another kind of subject', exchange('a', 'b'), 400, 'invalid_request'],
    ];
    it.each(cases)('%s', async (_title, form, status, error) => {
      const reply = await ask(form);
      expect(reply.status).toBe(status);
      expect(reply.headers.get('content-type')).toContain('application/json');
      expect(reply.body).toEqual({ error, error_description: expect.any(String) });
    });

    it('a missing account, and one without the client', async () => {
      const form = { ...CREDENTIALS, ...client };
      expect((await ask(form, {}, '/oidc/accounts/none/v1/token')).body).toMatchObject({ error: 'invalid_request' });
      const other = await bench.call('GET', '/api/2.0/secrets/scopes/list', {
        token: await bench.jar.token({ user: 'other' }),
      });
      const elsewhere = { 'x-databricks-org-id': other.headers.get('x-databricks-org-id') ?? '' };
      expect((await ask(form, elsewhere)).body).toMatchObject({ error: 'invalid_client' });
      expect((await ask(form)).status).toBe(200);
    });
  });

  it('an address that guesses secrets of a client is slowed down', async () => {
    await control(bench, 'PATCH', 'limits', { name: 'platform.wrong-secrets', limit: 2 });
    const guess = () => ask({ ...CREDENTIALS, ...client, client_secret: 'x' });
    expect([(await guess()).status, (await guess()).status]).toEqual([401, 401]);
    const slowed = await guess();
    expect(slowed.status).toBe(429);
    expect(Number(slowed.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await ask({ ...CREDENTIALS, ...client })).status).toBe(429);
    await bench.jar.clock.advance('5m');
    expect((await ask({ ...CREDENTIALS, ...client })).status).toBe(200);
  });

  it('a body that is not a form, and one that is too large', async () => {
    const json = await bench.call('POST', TOKEN, { token: null, body: {} });
    expect(json.body).toMatchObject({ error: 'invalid_request' });
    const large = await ask({ ...CREDENTIALS, scope: 'x'.repeat(300_000) });
    expect(large.body).toMatchObject({ error: 'invalid_request' });
  });

  it('secrets of service principals: invalid lifetimes, missing principals, and callers without permission', async () => {
    const [admin, user] = [await person(bench), await person(bench, 'licensed')];
    const made = await good(admin('POST', '/token-management/on-behalf-of/tokens', { application_id: APPLICATION }));
    const { owner_id, created_by_id } = made.token_info;
    const path = (id: number | string) => `/accounts/${ACCOUNT}/servicePrincipals/${id}/credentials/secrets`;
    for (const lifetime of ['1h', '0s', '-1s', '63072001s', ''.padStart(30, '9')])
      expect(refusal(await admin('POST', path(owner_id), { lifetime })).code).toBe('INVALID_PARAMETER_VALUE');
    for (const id of ['1', created_by_id, '../..']) expect((await admin('POST', path(id), {})).status).toBe(404);
    expect((await admin('DELETE', `${path(owner_id)}/none`)).status).toBe(404);
    expect((await user('POST', path(owner_id), {})).status).toBe(403);
    expect((await user('POST', `/accounts/servicePrincipals/${owner_id}/credentials/secrets`, {})).status).toBe(403);
  });
});
