import { beforeEach, expect, it } from 'vitest';
import { API_SCOPES, isKnownScope, scopesFor } from '../../../../src/services/platform/access/scopes.ts';
import { OPERATIONS } from '../../../../src/services/platform/routes.ts';
import { onAnyStore, onBothStores, type Reply } from '../../../support/jars.ts';
import { basic, exchange, PERSONAL_ACCESS_TOKEN, postForm, TOKEN } from '../oidc/support.ts';
import { ACCOUNT } from '../sdk.ts';
import { by, good, person, refusal, withoutRates } from '../support.ts';

const CLIENT_CREDENTIALS = { grant_type: 'client_credentials' };

it.each([
  ['/secrets/get', ['secrets']],
  ['/jobs/runs/get', ['jobs']],
  ['/token/create', ['authentication']],
  ['/token-management/tokens', ['authentication']],
  ['/preview/scim/v2/Users', ['scim']],
  ['/accounts/{account_id}/scim/v2/Users', ['scim']],
  ['/sql/warehouses/{id}', ['sql', 'sql.warehouses']],
  ['/sql/alerts/{id}', ['alerts', 'sql', 'sql.alerts']],
  ['/accounts/{account_id}/workspaces/{workspace_id}', ['provisioning']],
  ['/accounts/{account_id}/workspaces/{workspace_id}/permissionassignments', ['access-management']],
  ['/workspace-conf', ['settings']],
  ['/platform/limits', ['all-apis']],
  ['/preview/scim/v2/Me', undefined],
])('%s is open to tokens with %j', (path, scopes) => {
  expect(scopesFor(path)).toEqual(scopes);
});

it('every operation of the public reference has a scope of its own', () => {
  const all = OPERATIONS.filter(({ path, open }) => !open && scopesFor(path)?.[0] === 'all-apis');
  expect(all.filter(({ path }) => !path.startsWith('/platform/'))).toEqual([]);
  expect(Object.keys(API_SCOPES).every(isKnownScope)).toBe(true);
});

onBothStores('data platform: scopes of tokens', (bench) => {
  beforeEach(() => bench.jar.reset());

  it('a personal access token does what its scopes allow, and its owner changes them', async () => {
    const ask = await person(bench);
    const made = await good(ask('POST', '/token/create', { scopes: ['secrets', 'secrets'] }));
    expect(made.token_info.scopes).toEqual(['secrets']);
    const limited = by(bench, made.token_value);
    await good(limited('GET', '/secrets/scopes/list'));
    await good(limited('GET', '//secrets/scopes/list'));
    await good(limited('GET', '/preview/scim/v2/Me'));
    const refused = await limited('GET', '/api/2.2/jobs/list');
    expect(refused.status).toBe(403);
    expect(refused.body.error_code).toBe(403);
    expect(refused.body.message).toMatch(/^Provided access token does not have required scopes: jobs \[ReqId: /);
    const id = made.token_info.token_id;
    await good(ask('PATCH', `/token/${id}`, { token: { scopes: ['jobs'] }, update_mask: 'scopes' }));
    await good(limited('GET', '/api/2.2/jobs/list'));
    expect((await limited('GET', '/secrets/scopes/list')).status).toBe(403);
    await good(ask('PATCH', `/token/${id}`, { token: { scopes: [] }, update_mask: 'scopes' }));
    await good(limited('GET', '/secrets/scopes/list'));
    expect(refusal(await ask('POST', '/token/create', { scopes: ['everything'] }))).toMatchObject({
      status: 400,
      code: 'INVALID_PARAMETER_VALUE',
    });
  });

  it('no credential grants more scopes than it has', async () => {
    const ask = await person(bench);
    const { token_value } = await good(ask('POST', '/token/create', { scopes: ['authentication', 'jobs'] }));
    const limited = by(bench, token_value);
    const child = await good(limited('POST', '/token/create', {}));
    expect(child.token_info.scopes).toEqual(['authentication', 'jobs']);
    const less = await good(limited('POST', '/token/create', { scopes: ['jobs'] }));
    expect((await by(bench, less.token_value)('POST', '/token/create', {})).status).toBe(403);
    for (const scopes of [['all-apis'], ['jobs', 'secrets']]) {
      expect(refusal(await limited('POST', '/token/create', { scopes }))).toMatchObject({ code: 'PERMISSION_DENIED' });
      const change = await limited('PATCH', `/token/${less.token_info.token_id}`, { token: { scopes } });
      expect(refusal(change)).toMatchObject({ code: 'PERMISSION_DENIED' });
    }
    const traded = (scope?: string): Promise<Reply> =>
      postForm(bench, TOKEN, { ...exchange(less.token_value, PERSONAL_ACCESS_TOKEN), ...(scope && { scope }) });
    expect((await traded('all-apis')).body).toMatchObject({ error: 'access_denied' });
    const { access_token, scope } = (await traded()).body;
    expect(scope).toBe('jobs');
    const oauth = by(bench, access_token);
    await good(oauth('GET', '/api/2.2/jobs/list'));
    expect((await oauth('GET', '/secrets/scopes/list')).body.message).toMatch(
      /^Provided OAuth token does not have required scopes: secrets/,
    );
  });

  it('a secret of a service principal bounds the scope that is asked for', async () => {
    const admin = await person(bench);
    const robot = await good(admin('POST', '/preview/scim/v2/ServicePrincipals', { displayName: 'robot' }), 201);
    const path = `/accounts/${ACCOUNT}/servicePrincipals/${robot.id}/credentials/secrets`;
    const { secret, scopes } = await good(admin('POST', path, { scopes: ['sql', 'secrets'] }));
    expect(scopes).toEqual(['sql', 'secrets']);
    const ask = (scope?: string): Promise<Reply> =>
      postForm(
        bench,
        TOKEN,
        { ...CLIENT_CREDENTIALS, ...(scope && { scope }) },
        basic(robot.applicationId as string, secret),
      );
    const denied = await ask('all-apis');
    expect(denied.status).toBe(400);
    expect(denied.body.error).toBe('access_denied');
    expect(denied.body.error_description).toContain("Scopes 'all-apis' are not assigned");
    expect((await ask('sql nonsense')).body.error).toBe('invalid_scope');
    const one = await ask('sql offline_access');
    expect(one.body.scope).toBe('sql offline_access');
    const robots = by(bench, one.body.access_token);
    await good(robots('GET', '/sql/warehouses'));
    expect((await robots('GET', '/secrets/scopes/list')).status).toBe(403);
    const both = await ask();
    expect(both.body.scope).toBe('sql secrets');
    await good(by(bench, both.body.access_token)('GET', '/secrets/scopes/list'));
  });
});

onAnyStore('data platform: every operation', (bench) => {
  it('is closed to a token whose scopes do not name it, whatever is sent', { timeout: 120_000 }, async () => {
    await withoutRates(bench);
    const admin = await person(bench);
    const { token_value } = await good(admin('POST', '/token/create', { scopes: ['vector-search'] }));
    const limited = by(bench, token_value);
    const passed: string[] = [];
    for (const { method, path, versions = ['2.0'], bare = [], open } of OPERATIONS) {
      if (open || path === '/preview/scim/v2/Me') continue;
      const filled = (text: string) => text.replace('{account_id}', ACCOUNT).replace(/\{\w+\*?\}/g, '1');
      for (const at of [...versions.map((version) => `/api/${version}${path}`), ...bare.map((each) => `/${each}`)]) {
        const isRead = method === 'GET' || method === 'HEAD';
        const { status, body } = await limited(method, filled(at), isRead ? undefined : {});
        // An answer to HEAD has no body.
        if (status !== 403 || (method !== 'HEAD' && body?.error_code !== 403)) passed.push(`${method} ${at} ${status}`);
      }
    }
    expect(passed).toEqual([]);
  });
});
