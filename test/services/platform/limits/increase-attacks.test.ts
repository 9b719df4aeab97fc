import { beforeEach, expect, it } from 'vitest';
import { SEED_TENANT } from '../../../../src/kernel/auth/index.ts';
import { accountIdOf } from '../../../../src/services/platform/accounts/found-account.ts';
import { startJar } from '../../../../src/testing/index.ts';
import { onAnyStore } from '../../../support/jars.ts';
import { usePostgresDatabase } from '../../../support/use-postgres.ts';
import { type Ask, control, good, person, refusal, withoutRates } from '../support.ts';

const PATH = '/platform/limit-increases';
const OPERATOR = 'platform/limit-increases';
const ACC = `/accounts/${accountIdOf(SEED_TENANT)}`;

onAnyStore('data platform: limits that are raised and lowered', (bench) => {
  let ask: Ask;

  beforeEach(async () => {
    await bench.jar.reset();
    await withoutRates(bench);
    ask = await person(bench);
  });

  const wanted = (requested: unknown, limit = 'secret-scopes') => ({ limit, requested, reason: 'x' });
  const create = (scope: string, through = ask) => through('POST', '/secrets/scopes/create', { scope });
  const remove = (scope: string) => ask('POST', '/secrets/scopes/delete', { scope });
  const lower = (limit: number | null, scope?: object) =>
    good(control(bench, 'PATCH', 'limits', { name: 'platform.secret-scopes', limit, ...(scope && { scope }) }));

  it.each([
    [Number.MAX_SAFE_INTEGER + 1, 'MALFORMED_REQUEST'],
    ['99999999999999999999', 'MALFORMED_REQUEST'],
    [1e300, 'MALFORMED_REQUEST'],
    [-1, 'INVALID_PARAMETER_VALUE'],
    [0, 'INVALID_PARAMETER_VALUE'],
    ['many', 'MALFORMED_REQUEST'],
    [null, 'INVALID_PARAMETER_VALUE'],
    [[2000], 'MALFORMED_REQUEST'],
  ])('refuses to ask for %j', async (requested, code) => {
    expect(refusal(await ask('POST', PATH, wanted(requested)))).toMatchObject({ status: 400, code });
  });

  it('the largest possible number can be requested and granted, and takes effect', async () => {
    const { id } = await good(ask('POST', PATH, wanted(String(Number.MAX_SAFE_INTEGER))));
    expect((await control(bench, 'POST', `${OPERATOR}/${id}/approve`)).body).toMatchObject({
      granted: Number.MAX_SAFE_INTEGER,
    });
    await good(create('one'));
    const { limits } = await good(ask('GET', '/platform/limits?resource=Secrets&scope=Workspace'));
    expect(limits[0]).toMatchObject({ in_force: Number.MAX_SAFE_INTEGER, use: [{ used: 1 }] });
    expect(refusal(await ask('POST', PATH, wanted(Number.MAX_SAFE_INTEGER)))).toMatchObject({ status: 400 });
  });

  it('of a concurrent approval, refusal and withdrawal, one takes effect', async () => {
    const { id } = await good(ask('POST', PATH, wanted(2000)));
    const replies = await Promise.all([
      control(bench, 'POST', `${OPERATOR}/${id}/approve`),
      control(bench, 'POST', `${OPERATOR}/${id}/refuse`, { reason: 'no' }),
      ask('DELETE', `${PATH}/${id}`),
      control(bench, 'POST', `${OPERATOR}/${id}/approve`, { limit: 1500 }),
    ]);
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    const { state, granted = 1000 } = await good(ask('GET', `${PATH}/${id}`));
    expect(['APPROVED', 'REFUSED', 'WITHDRAWN']).toContain(state);
    const { limits } = await good(ask('GET', '/platform/limits?resource=Secrets&scope=Workspace'));
    expect(limits[0].in_force).toBe(granted);
  });

  it('an approval does not lower a limit that was raised meanwhile', async () => {
    const { id } = await good(ask('POST', PATH, wanted(2000)));
    await lower(3000);
    const late = await control(bench, 'POST', `${OPERATOR}/${id}/approve`);
    expect([late.status, late.body.error.code]).toEqual([400, 'InvalidIncrease']);
    expect(await good(ask('GET', `${PATH}/${id}`))).toMatchObject({ state: 'PENDING' });
  });

  it('a limit lowered below the current count refuses additions and permits removals', async () => {
    for (const scope of ['a', 'b', 'c']) await good(create(scope));
    await lower(1);
    const refused = await create('d');
    expect(refused.body).toMatchObject({ error_code: 'RESOURCE_LIMIT_EXCEEDED' });
    expect(refused.body.message).toContain('3 of 1 scopes');
    const { limits } = await good(ask('GET', '/platform/limits?resource=Secrets&scope=Workspace'));
    expect(limits[0].use).toMatchObject([{ used: 3, remaining: 0, limit: 1 }]);
    for (const scope of ['a', 'b']) await good(remove(scope));
    expect((await create('d')).status).toBe(400);
    await good(remove('c'));
    await good(create('d'));
    await lower(0);
    await good(remove('d'));
    expect((await create('e')).status).toBe(400);
    await lower(null);
    await good(create('e'));
  });

  it('requests and limits of a workspace are not visible to administrators of another workspace and do not affect it', async () => {
    const { workspace_id } = await good(
      ask('POST', `${ACC}/workspaces`, { workspace_name: 'two', deployment_name: 'two', location: 'westus2' }),
    );
    await bench.jar.clock.advance('10m');
    const licensed = await person(bench, 'licensed');
    const me = (await good(licensed('GET', '/preview/scim/v2/Me'))).id;
    const there: Ask = (method, path, body) =>
      licensed(method, path, body, { 'x-databricks-org-id': String(workspace_id) });
    await good(
      ask('PUT', `${ACC}/workspaces/${workspace_id}/permissionassignments/principals/${me}`, {
        permissions: ['ADMIN'],
      }),
    );
    const { id: ours } = await good(ask('POST', PATH, wanted(5000)));
    const theirs = await good(there('POST', PATH, wanted(2)), 400);
    expect(theirs.message).toContain('must be more than 1000');
    const { id, scope } = await good(there('POST', PATH, wanted(1001)));
    expect(scope).toEqual({ workspace: String(workspace_id) });
    // An administrator of a workspace can request an increase for the workspace, but not for the account.
    expect(refusal(await there('POST', PATH, wanted(20_000, 'principals')))).toMatchObject({ status: 403 });
    expect((await good(there('GET', PATH))).limit_increases.map((each: { id: string }) => each.id)).toEqual([id]);
    for (const method of ['GET', 'DELETE'])
      expect(refusal(await there(method, `${PATH}/${ours}`))).toMatchObject({ status: 404 });
    await good(control(bench, 'POST', `${OPERATOR}/${ours}/approve`));
    await lower(1, { workspace: String(workspace_id) });
    await good(create('a', there));
    expect((await create('b', there)).status).toBe(400);
    await good(create('a'));
    await good(create('b'));
    // Administrators of the account see the requests of all its workspaces.
    expect((await good(ask('GET', PATH))).limit_increases).toHaveLength(2);
  });
});

it('granted and pending requests survive a restart', async (context) => {
  const options = { databaseUrl: await usePostgresDatabase(context, 'granted'), secretKey: 'B'.repeat(43) };
  const during = async <T>(use: (ask: Ask, operator: Ask) => Promise<T>): Promise<T> => {
    const jar = await startJar(options);
    const through =
      (token: string): Ask =>
      async (method, path, body) => {
        const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
        const sent = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
        const answer = await fetch(jar.url + path, sent);
        const text = await answer.text();
        return { status: answer.status, headers: answer.headers, text, body: JSON.parse(text) };
      };
    try {
      return await use(through(await jar.token({ user: 'admin' })), through(jar.adminKey));
    } finally {
      await jar.close();
    }
  };
  const at = `/api/2.0${PATH}`;
  const asked = (limit: string, requested: number) => ({ limit, requested, reason: 'x' });
  const pending = await during(async (ask, operator) => {
    const { id } = await good(ask('POST', at, asked('secret-scopes', 2000)));
    await good(operator('POST', `/_jar/${OPERATOR}/${id}/approve`));
    return (await good(ask('POST', at, asked('principals', 20_000)))).id;
  });
  await during(async (ask, operator) => {
    const { limits } = await good(ask('GET', '/api/2.0/platform/limits?resource=Secrets&scope=Workspace'));
    expect(limits[0].in_force).toBe(2000);
    expect(await good(operator('POST', `/_jar/${OPERATOR}/${pending}/approve`))).toMatchObject({ granted: 20_000 });
  });
});
