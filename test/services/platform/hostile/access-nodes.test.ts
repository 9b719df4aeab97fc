import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { startJar, type TestJar } from '../../../../src/testing/index.ts';
import { eventually } from '../../../support/eventually.ts';
import { usePostgresDatabase } from '../../../support/use-postgres.ts';

/** Who is let in on two nodes of one jar: what one of them takes away, the other one takes away too. */
describe('access on two nodes', () => {
  let nodes: readonly [TestJar, TestJar];
  let admin: string;
  let account: string;

  beforeEach(async (context) => {
    if (nodes) return;
    const databaseUrl = await usePostgresDatabase(context, 'access-nodes');
    const options = { databaseUrl, secretKey: 'B'.repeat(43), clock: 'shifted' } as const;
    nodes = [await startJar(options), await startJar(options)];
    admin = await nodes[0].token({ user: 'admin', ttl: '3650d' });
    await need(0, admin, 'GET', '/api/2.0/preview/scim/v2/Me');
    const key = nodes[0].adminKey;
    account = (await need(0, key, 'GET', '/_jar/platform/workspaces')).value[0].accountId;
    const { value: rates } = await need(0, key, 'GET', '/_jar/limits?name=platform.rate.*&use=0&$top=1000');
    const unlimited = (rates as { name: string }[]).map(({ name }) => ({ name, mode: 'unlimited' }));
    await need(0, key, 'PATCH', '/_jar/limits', unlimited);
  });
  afterAll(async () => {
    for (const node of nodes ?? []) await node.close();
  });

  const send = (node: 0 | 1, token: string, method: string, path: string, body?: object) =>
    fetch(nodes[node].url + path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: body ? JSON.stringify(body) : null,
    });
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  async function need(node: 0 | 1, token: string, method: string, path: string, body?: object): Promise<any> {
    const answer = await send(node, token, method, path, body);
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return text === '' ? {} : JSON.parse(text);
  }
  const USERS = '/api/2.0/preview/scim/v2/Users';
  const PRINCIPALS = '/api/2.0/preview/scim/v2/ServicePrincipals';
  const schemas = ['urn:ietf:params:scim:api:messages:2.0:PatchOp'];
  const isRefused = (node: 0 | 1, token: string, path = '/api/2.1/clusters/list') =>
    eventually(async () => expect([400, 401, 403]).toContain((await send(node, token, 'GET', path)).status));

  /** A token of somebody else, used on both nodes, so that both remember them. */
  async function principal(): Promise<{ id: string; applicationId: string; secret: string; token: string }> {
    const made = await need(0, admin, 'POST', PRINCIPALS, { displayName: 'p' });
    const path = `/api/2.0/accounts/${account}/servicePrincipals/${made.id}/credentials/secrets`;
    const { secret } = await need(0, admin, 'POST', path, {});
    const token = await exchange(made.applicationId, secret, 'all-apis');
    for (const node of [0, 1] as const) await need(node, token, 'GET', '/api/2.1/clusters/list');
    return { id: made.id, applicationId: made.applicationId, secret, token };
  }
  async function exchange(client: string, secret: string, scope: string): Promise<string> {
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: client,
      client_secret: secret,
      scope,
    });
    const answer = await fetch(`${nodes[1].url}/oidc/v1/token`, { method: 'POST', body: form });
    expect(answer.status).toBe(200);
    return ((await answer.json()) as { access_token: string }).access_token;
  }

  it('a principal that one node deactivates, the other one refuses, and lets in again', async () => {
    const { id, token } = await principal();
    const set = (active: boolean) =>
      need(0, admin, 'PATCH', `${PRINCIPALS}/${id}`, {
        schemas,
        Operations: [{ op: 'replace', path: 'active', value: active }],
      });
    await set(false);
    await isRefused(0, token);
    await isRefused(1, token);
    await set(true);
    await eventually(async () => void (await need(1, token, 'GET', '/api/2.1/clusters/list')));
    await need(0, admin, 'DELETE', `${PRINCIPALS}/${id}`);
    await isRefused(1, token);
  });

  it('a token that one node revokes or limits, the other one refuses', async () => {
    const make = () => need(0, admin, 'POST', '/api/2.0/token/create', { comment: 't', lifetime_seconds: 3600 });
    const [gone, limited] = [await make(), await make()];
    for (const { token_value } of [gone, limited]) await need(1, token_value, 'GET', '/api/2.1/clusters/list');
    await need(0, admin, 'POST', '/api/2.0/token/delete', { token_id: gone.token_info.token_id });
    await isRefused(1, gone.token_value);
    const at = `/api/2.0/token/${limited.token_info.token_id}`;
    await need(0, admin, 'PATCH', at, { token: { scopes: ['jobs', 'authentication'] }, update_mask: 'scopes' });
    await isRefused(1, limited.token_value);
    await need(1, limited.token_value, 'GET', '/api/2.2/jobs/list');
    // What is limited stays so, whatever it asks for.
    for (const [method, path, body] of [
      ['POST', '/api/2.0/token/create', { scopes: ['all-apis'] }],
      ['POST', '/api/2.0/token/create', { scopes: ['clusters'] }],
      ['PATCH', at, { token: { scopes: ['all-apis'] }, update_mask: 'scopes' }],
      ['POST', '/api/2.0/secrets/scopes/create', { scope: 's' }],
    ] as const)
      expect((await send(1, limited.token_value, method, path, body)).status, `${path} ${JSON.stringify(body)}`).toBe(
        403,
      );
    for (const scopes of [{}, { scopes: [] }]) {
      const { token_value } = await need(1, limited.token_value, 'POST', '/api/2.0/token/create', { ...scopes });
      await isRefused(1, token_value);
    }
    await need(1, limited.token_value, 'PATCH', at, { token: { scopes: [] }, update_mask: 'scopes' });
    await isRefused(0, limited.token_value);
  });

  it('a role that one node gives counts on the other one, and no longer once it is taken away', async () => {
    const [manager, managed] = [await principal(), await principal()];
    const name = `accounts/${account}/servicePrincipals/${managed.applicationId}/ruleSets/default`;
    const rules = '/api/2.0/preview/accounts/access-control/rule-sets';
    const secrets = `/api/2.0/accounts/servicePrincipals/${managed.id}/credentials/secrets`;
    const write = async (principals: readonly string[]) => {
      const { etag } = await need(0, admin, 'GET', `${rules}?name=${encodeURIComponent(name)}&etag=`);
      const grant_rules = principals.length ? [{ role: 'roles/servicePrincipal.manager', principals }] : [];
      await need(0, admin, 'PUT', rules, { name, rule_set: { name, etag, grant_rules } });
    };
    expect((await send(1, manager.token, 'GET', secrets)).status).toBe(403);
    expect(
      (await send(1, manager.token, 'PUT', rules, { name, rule_set: { name, etag: 'unset', grant_rules: [] } })).status,
    ).toBe(403);
    await write([`servicePrincipals/${manager.applicationId}`]);
    await need(1, manager.token, 'GET', secrets);
    // One that is managed is not an administrator.
    expect((await send(1, manager.token, 'GET', `${USERS}?count=1`)).status).toBeLessThan(500);
    expect((await send(1, manager.token, 'POST', USERS, { userName: 'x@vendor.example' })).status).toBe(403);
    await write([]);
    expect((await send(1, manager.token, 'GET', secrets)).status).toBe(403);
  });

  it('the group of everybody in the account cannot be changed, left or removed', async () => {
    const groups = `/api/2.0/accounts/${account}/scim/v2/Groups`;
    const { Resources } = await need(
      0,
      admin,
      'GET',
      `${groups}?filter=${encodeURIComponent('displayName eq "account users"')}`,
    );
    const everybody = Resources?.[0];
    expect(everybody?.displayName).toBe('account users');
    const at = `${groups}/${everybody.id}`;
    const { id } = await principal();
    for (const operation of [
      { op: 'remove', path: `members[value eq "${id}"]` },
      { op: 'replace', path: 'displayName', value: 'nobody' },
      { op: 'replace', path: 'members', value: [] },
    ]) {
      const { status } = await send(1, admin, 'PATCH', at, { schemas, Operations: [operation] });
      expect([400, 403, 409], JSON.stringify(operation)).toContain(status);
    }
    expect([400, 403, 409]).toContain((await send(1, admin, 'DELETE', at)).status);
  });
});
