import { beforeEach, expect, it } from 'vitest';
import { OWN_ROWS } from '../../../../src/services/platform/limits/own-rows.ts';
import { RATE_ROWS } from '../../../../src/services/platform/limits/rate-rows.ts';
import { RESOURCE_ROWS } from '../../../../src/services/platform/limits/resource-rows.ts';
import { onAnyStore, SUBSCRIPTION } from '../../../support/jars.ts';
import { type Ask, control, good, person, refusal } from '../support.ts';

const PATH = '/platform/limits';
const SNIPPETS = '/preview/sql/query_snippets';

interface Row {
  readonly name: string;
  readonly table: string;
  readonly resource: string;
  readonly status: string;
  readonly use: readonly { readonly scope: Record<string, string>; readonly used: number }[];
}

async function all(ask: Ask, query = 'page_size=40'): Promise<Row[]> {
  const found: Row[] = [];
  let token = '';
  do {
    const page = await good(ask('GET', `${PATH}?${query}${token && `&page_token=${token}`}`));
    found.push(...page.limits);
    token = page.next_page_token ?? '';
  } while (token !== '');
  return found;
}

const one = async (ask: Ask, resource: string, name: string): Promise<Row> => {
  const { limits } = await good(ask('GET', `${PATH}?resource=${encodeURIComponent(resource)}`));
  const row = limits.find((each: Row) => each.name === name);
  if (!row) throw new Error(`${name} is not shown`);
  return row;
};

onAnyStore('data platform: limits on display', (bench) => {
  beforeEach(() => bench.jar.reset());

  it('every row of both tables is shown once, page by page', async () => {
    const rows = await all(await person(bench));
    const names = rows.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(rows.filter(({ table }) => table === 'RESOURCES')).toHaveLength(RESOURCE_ROWS.length);
    expect(rows.filter(({ table }) => table === 'FURTHER').map(({ name }) => name)).toEqual(
      OWN_ROWS.map(({ id }) => `platform.${id}`),
    );
    const buckets = RATE_ROWS.reduce((sum, { shared, paths }) => sum + (shared ? 1 : paths.length), 0);
    expect(rows.filter(({ table }) => table === 'RATES')).toHaveLength(buckets);
    expect(rows.find(({ name }) => name === 'platform.serverless')).toMatchObject({
      status: 'COUNTED',
      mode: 'UNLIMITED',
      fixed: false,
      region: 'By region',
    });
  });

  it('a row has its number, the effective value for the caller, and the usage in the workspaces that the caller sees', async () => {
    const ask = await person(bench);
    await good(ask('POST', SNIPPETS, { trigger: 'sel', snippet: 'SELECT' }));
    const workspace = (await ask('GET', SNIPPETS)).headers.get('x-databricks-org-id') as string;
    await control(bench, 'PATCH', 'limits', { name: 'platform.query-snippets', limit: 7, scope: { workspace } });
    expect(await one(ask, 'Query snippets', 'platform.query-snippets')).toEqual({
      name: 'platform.query-snippets',
      table: 'RESOURCES',
      resource: 'Query snippets',
      metric: 'Total',
      limit: 10_000,
      unit: 'snippets',
      scope: 'Workspace',
      fixed: true,
      region: 'All',
      measure: 'COUNT',
      status: 'ENFORCED',
      mode: 'ENFORCED',
      in_force: 7,
      use: [{ scope: { workspace }, used: 1, remaining: 6, limit: 7 }],
    });
    const other = await one(await person(bench, 'other'), 'query SNIPPETS', 'platform.query-snippets');
    expect(other).toMatchObject({ in_force: 10_000, use: [] });
  });

  it('scopes that name an object or a user are shown to administrators of the workspace, and to that user', async () => {
    const [admin, licensed] = [await person(bench), await person(bench, 'licensed')];
    await good(admin('POST', '/secrets/scopes/create', { scope: 'hidden' }));
    await good(admin('POST', '/secrets/put', { scope: 'hidden', key: 'k', string_value: 'v' }));
    await good(admin('POST', '/token/create', {}));
    await good(licensed('POST', '/token/create', {}));
    const users = async (ask: Ask) =>
      (await one(ask, 'Personal access tokens', 'platform.user-tokens')).use.map(({ scope }) => scope.principal);
    const me = (await good(licensed('GET', '/preview/scim/v2/Me'))).id;
    expect(await users(licensed)).toEqual([me]);
    expect(await users(admin)).toHaveLength(2);
    const [secrets] = (await one(admin, 'Secrets', 'platform.scope-secrets')).use;
    expect(secrets).toMatchObject({ scope: { secretScope: 'hidden' }, used: 1, remaining: 999 });
    expect((await one(licensed, 'Secrets', 'platform.scope-secrets')).use).toEqual([]);
    expect((await one(licensed, 'Secrets', 'platform.secret-scopes')).use).toMatchObject([{ used: 1 }]);
  });

  it('resource groups are shown from the counters of the management gateway, to administrators of the account', async () => {
    const group = `/subscriptions/${SUBSCRIPTION}/resourceGroups/shown?api-version=2021-04-01`;
    expect((await bench.call('PUT', group, { body: { location: 'westus2' } })).status).toBe(201);
    const shown = await one(await person(bench), 'Resource groups', 'management.resource-groups');
    expect(shown).toMatchObject({ limit: 980, in_force: 980, status: 'ENFORCED', measure: 'MANAGEMENT' });
    expect(shown.use).toContainEqual({ scope: { subscription: SUBSCRIPTION }, used: 1, remaining: 979, limit: 980 });
    const reader = await one(await person(bench, 'licensed'), 'Resource groups', 'management.resource-groups');
    expect(reader.use).toEqual([]);
  });

  it('filters by scope, and refuses a page token of another list', async () => {
    const ask = await person(bench);
    const { limits, next_page_token } = await good(ask('GET', `${PATH}?scope=workspace&page_size=2`));
    expect(limits).toHaveLength(2);
    expect(new Set((await all(ask, 'scope=Workspace')).map((row) => (row as { scope?: string }).scope))).toEqual(
      new Set(['Workspace']),
    );
    expect(refusal(await ask('GET', `${PATH}?scope=account&page_token=${next_page_token}`))).toMatchObject({
      status: 400,
      code: 'INVALID_PARAMETER_VALUE',
    });
    expect(refusal(await ask('GET', `${PATH}?page_size=x`))).toMatchObject({ status: 400 });
    expect((await good(ask('GET', `${PATH}?resource=nothing`))).limits).toEqual([]);
  });
});
