import { beforeEach, expect, it } from 'vitest';
import { SEED_TENANT } from '../../../../src/kernel/auth/index.ts';
import { onAnyStore, type Reply } from '../../../support/jars.ts';
import { proofKey, Visitor } from '../../identity/support.ts';
import { ACCOUNT } from '../sdk.ts';
import { by, control, good } from '../support.ts';
import { postForm, TOKEN } from './support.ts';

const REDIRECT = 'http://localhost:8020';
const CLIENT = 'databricks-cli';

onAnyStore('data platform: people sign in', (bench) => {
  beforeEach(() => bench.jar.reset());

  const ask = (form: Record<string, string>): Promise<Reply> =>
    postForm({ call: (...given) => bench.call(...given) }, TOKEN, { client_id: CLIENT, ...form });

  const asked = (challenge: string, more: Record<string, string> = {}) =>
    new URLSearchParams({
      response_type: 'code',
      client_id: CLIENT,
      redirect_uri: REDIRECT,
      scope: 'all-apis offline_access',
      state: 'of the client',
      code_challenge: challenge,
      code_challenge_method: 'S256',
      ...more,
    });

  /** Signs in through the directory's page. Returns the parameters that the client receives. */
  async function signIn(challenge: string, path = '/oidc/v1/authorize'): Promise<Record<string, string>> {
    const browser = new Visitor(bench.jar.url);
    const begun = await browser.visit(`${path}?${asked(challenge)}`);
    expect(begun.status).toBe(302);
    const page = await browser.visit(String(begun.location));
    const posted = await browser.submit(page, { username: 'licensed', password: 'cloudjar' });
    const fields = [...posted.text.matchAll(/name="([^"]*)" value="([^"]*)"/g)].map(([, name, value]) => [name, value]);
    const back = await browser.visit('/oidc/v1/signed-in', {
      method: 'POST',
      body: new URLSearchParams(Object.fromEntries(fields)),
    });
    expect(back.status).toBe(302);
    expect(back.location?.origin).toBe(REDIRECT);
    return back.sent;
  }

  it('a person signs in at the directory, and the client gets tokens for the code and renews them', async () => {
    const { verifier, challenge } = proofKey();
    const { code = '', state } = await signIn(challenge, `/oidc/accounts/${ACCOUNT}/v1/authorize`);
    expect(state).toBe('of the client');
    const redeem = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT, code_verifier: verifier };
    const first = await ask(redeem);
    expect(first.body).toMatchObject({ token_type: 'Bearer', scope: 'all-apis offline_access' });
    const listed = await good(by(bench, first.body.access_token)('POST', '/token/create', { comment: 'mine' }));
    expect(listed.token_info.comment).toBe('mine');
    const renew = (refresh_token: string) => ask({ grant_type: 'refresh_token', refresh_token });
    const second = await renew(first.body.refresh_token);
    await good(by(bench, second.body.access_token)('GET', '/token/list'));
    const third = await renew(second.body.refresh_token);
    expect(third.status).toBe(200);
    // A reused refresh token was copied: the grant ends for both holders.
    expect((await renew(first.body.refresh_token)).body).toMatchObject({ error: 'invalid_grant' });
    expect((await renew(third.body.refresh_token)).body).toMatchObject({ error: 'invalid_grant' });
  });

  it('a code is redeemed once, by the client that asked for it, with its proof', async () => {
    const { verifier, challenge } = proofKey();
    const { code = '' } = await signIn(challenge);
    const redeem = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT, code_verifier: verifier };
    const mistakes: readonly Record<string, string>[] = [
      { code_verifier: 'x'.repeat(43) },
      { code_verifier: '' },
      { redirect_uri: 'http://localhost:9' },
      { client_id: 'dbt-databricks' },
    ];
    for (const wrong of mistakes)
      expect((await ask({ ...redeem, ...wrong })).body).toMatchObject({ error: 'invalid_grant' });
    const { body } = await ask(redeem);
    expect(body.refresh_token).toBeTypeOf('string');
    expect((await ask(redeem)).body).toMatchObject({ error: 'invalid_grant' });
    expect((await ask({ grant_type: 'refresh_token', refresh_token: body.refresh_token })).status).toBe(400);
  });

  it('users sign in on a database that was seeded before this service existed', async () => {
    const { challenge } = proofKey();
    const removed = await control(bench, 'DELETE', 'applications/platform-sign-in');
    expect(removed.status).toBeLessThan(300);
    expect((await signIn(challenge)).code).toBeTypeOf('string');
  });

  it('only known clients, addresses of the machine and proof keys are accepted', async () => {
    const browser = new Visitor(bench.jar.url);
    const { challenge } = proofKey();
    for (const [more, error] of [
      [{ client_id: 'unknown' }, 'unauthorized_client'],
      [{ redirect_uri: 'https://evil.example/' }, 'invalid_request'],
      [{ redirect_uri: 'http://localhost.evil.example/' }, 'invalid_request'],
      [{ redirect_uri: 'http://localhost:1@evil.example/' }, 'invalid_request'],
      [{ response_type: 'token' }, 'unsupported_response_type'],
      [{ code_challenge_method: 'plain' }, 'invalid_request'],
      [{ code_challenge: 'short' }, 'invalid_request'],
    ] as const) {
      const refused = await browser.visit(`/oidc/v1/authorize?${asked(challenge, more)}`);
      expect(JSON.parse(refused.text)).toMatchObject({ error });
    }
    const page = bench.jar.token({ user: 'licensed', ttl: '1h' });
    const forged = { method: 'POST', body: new URLSearchParams({ access_token: await page, state: 'forged' }) };
    expect(JSON.parse((await browser.visit('/oidc/v1/signed-in', forged)).text)).toMatchObject({
      error: 'invalid_request',
    });
    // A token that was issued to another application does not sign its user in.
    const begun = await browser.visit(`/oidc/v1/authorize?${asked(challenge)}`);
    const stolen = { access_token: await page, state: begun.location?.searchParams.get('state') ?? '' };
    const back = await browser.visit('/oidc/v1/signed-in', { method: 'POST', body: new URLSearchParams(stolen) });
    expect(back.sent).toMatchObject({ error: 'access_denied', state: 'of the client' });
    const cancelled = { error: 'access_denied', error_description: 'no', state: stolen.state };
    const away = await browser.visit('/oidc/v1/signed-in', { method: 'POST', body: new URLSearchParams(cancelled) });
    expect(away.sent).toMatchObject({ error: 'access_denied' });
  });

  it('clients find the endpoints, the account and the directory', async () => {
    const open = async (path: string, headers: Record<string, string> = {}) =>
      bench.call('GET', path, { token: null, headers });
    const { body: config } = await open('/.well-known/databricks-config');
    expect(config).toEqual({ oidc_endpoint: `${bench.jar.url}/oidc`, cloud: 'AZURE' });
    const { body: found } = await open('/oidc/.well-known/oauth-authorization-server');
    expect(found).toMatchObject({
      authorization_endpoint: `${bench.jar.url}/oidc/v1/authorize`,
      token_endpoint: `${bench.jar.url}/oidc/v1/token`,
    });
    const { body: ofAccount } = await open(`/oidc/accounts/${ACCOUNT}/.well-known/oauth-authorization-server`);
    expect(ofAccount.token_endpoint).toBe(`${bench.jar.url}/oidc/accounts/${ACCOUNT}/v1/token`);
    const workspace = (await bench.call('GET', '/api/2.0/token/list')).headers.get('x-databricks-org-id') ?? '';
    await bench.jar.reset();
    const host = `${workspace}.platform.localhost:${new URL(bench.jar.url).port}`;
    const { body: here } = await open('/.well-known/databricks-config', { host });
    expect(here).toMatchObject({ account_id: ACCOUNT, workspace_id: workspace, oidc_endpoint: `http://${host}/oidc` });
    const directory = await open('/oidc/oauth2/v2.0/authorize?a=b', { host });
    expect(directory.headers.get('location')).toBe(`http://${host}/${SEED_TENANT}/oauth2/v2.0/authorize?a=b`);
    const tenant = await open('/aad/auth', { host });
    expect(tenant.headers.get('location')).toBe(`http://${host}/${SEED_TENANT}/oauth2/authorize`);
    expect((await open('/aad/auth')).headers.get('location')).toContain('/organizations/');
  });
});
