import { beforeEach, describe, expect, it } from 'vitest';
import { onBothStores } from '../../support/jars.ts';
import { type Ask, control, good, MY, PLAIN, person } from './support.ts';

onBothStores('who may do what', (bench) => {
  let ask: Ask;

  beforeEach(async () => {
    await bench.jar.reset();
    ask = await person(bench);
  });

  const nothing = (reply: Awaited<ReturnType<Ask>>) => ({
    status: reply.status,
    text: reply.text,
    code: reply.headers.get('x-powerbi-error-info'),
    hasId: reply.headers.get('requestid') !== null,
  });

  it('answers a request without a valid token with only a header', async () => {
    const without = await bench.call('GET', `${MY}/datasets`, { token: null });
    const expected = { status: 401, text: '', code: 'PowerBINotAuthorizedException', hasId: true };
    expect(nothing(without)).toEqual(expected);
    expect(without.headers.get('www-authenticate')).toContain('authorization_uri');
    expect(nothing(await bench.call('GET', `${MY}/datasets`, { token: 'abc' }))).toEqual(expected);
    const token = await bench.jar.token({ audience: 'https://elsewhere.example' });
    const foreign = await bench.call('GET', `${MY}/datasets`, { token });
    expect(nothing(foreign)).toEqual(expected);
    expect(foreign.headers.get('x-powerbi-error-details')).toContain("'https://elsewhere.example'");
  });

  it.each(['https://analysis.windows.net/powerbi/api', 'https://analysis.vendor.example/powerbi/api/'])(
    'takes tokens for the audience %s',
    async (audience) => {
      const token = await bench.jar.token({ audience });
      expect((await bench.call('GET', `${MY}/datasets`, { token })).status).toBe(200);
    },
  );

  it('refuses an expired token with 403', async () => {
    const token = await bench.jar.token({ ttl: '10m' });
    await bench.jar.clock.advance('11m');
    const { status, body } = await bench.call('GET', `${MY}/datasets`, { token });
    expect({ status, ...body }).toMatchObject({ status: 403, error: { code: 'TokenExpired' } });
  });

  it('says which scope is missing', async () => {
    const reader = await person(bench, 'admin', 'Dataset.Read.All');
    expect((await reader('GET', 'datasets')).status).toBe(200);
    const write = await reader('DELETE', 'datasets/1');
    expect({ status: write.status, ...write.body }).toMatchObject({
      status: 403,
      error: { code: 'DatasetWriteScopeMissing', message: expect.stringContaining('Dataset.ReadWrite.All') },
    });
    const other = await person(bench, 'admin', 'Report.Read.All');
    expect((await other('GET', 'datasets')).body.error.code).toBe('DatasetReadScopeMissing');
    expect((await other('GET', 'groups')).body.error.code).toBe('WorkspaceReadScopeMissing');
    expect((await other('POST', 'groups', { name: 'x' })).body.error.code).toBe('WorkspaceWriteScopeMissing');
  });

  it('has no "My workspace" for a service principal, which uses workspaces as others do', async () => {
    const app = await person(bench, 'app');
    expect((await app('GET', 'datasets')).body.error.code).toBe('ServicePrincipalHasNoMyWorkspace');
    const { id } = await good(app('POST', 'groups', { name: 'Robots' }));
    expect((await good(app('GET', `groups/${id}/datasets`))).value).toEqual([]);
  });

  it('creates, lists and deletes workspaces, each name once', async () => {
    const { id } = await good(ask('POST', 'groups?workspaceV2=true', { name: 'Sales' }));
    await good(ask('POST', 'groups', { name: 'Stock' }));
    const taken = await ask('POST', 'groups', { name: 'SALES' });
    expect({ status: taken.status, ...taken.body }).toMatchObject({
      status: 409,
      error: { code: 'PowerBIEntityAlreadyExists' },
    });
    const list = await good(ask('GET', 'groups'));
    expect(list.value.map(({ name }: { name: string }) => name).sort()).toEqual(['Sales', 'Stock']);
    expect((await good(ask('GET', "groups?$filter=name eq 'sales'&$top=1"))).value).toMatchObject([{ id }]);
    expect(await good(ask('GET', `groups/${id}`))).toMatchObject({ id, name: 'Sales', isReadOnly: false });
    expect((await ask('GET', "groups?$filter=nosuch eq 'x'")).body.error.code).toBe('InvalidRequest');
    expect(await ask('DELETE', `groups/${id}`)).toMatchObject({ status: 200, text: '' });
    expect((await ask('GET', `groups/${id}/datasets`)).body.error.code).toBe('PowerBIEntityNotFound');
    expect((await good(ask('GET', 'groups'))).value).toHaveLength(1);
  });

  it('makes one personal workspace, however many begin at once', async () => {
    const body = { name: 'D', tables: [PLAIN] };
    const made = await Promise.all(Array.from({ length: 6 }, () => good(ask('POST', 'datasets', body), 201)));
    const { value } = (await control(bench, 'GET', 'datasets')).body;
    expect(value).toHaveLength(made.length);
    expect(new Set(value.map(({ workspaceId }: { workspaceId: string }) => workspaceId)).size).toBe(1);
  });

  describe('of a workspace', () => {
    it.each(['licensed', 'other', 'app'])('%s sees nothing without being a member', async (user) => {
      const { id } = await good(ask('POST', 'groups', { name: 'Sales' }));
      const stranger = await person(bench, user);
      const paths = [`${MY}/groups/${id}/datasets`, `/v1.0/collections/any/workspaces/${id}/datasets`];
      for (const path of paths) {
        const { status, body } = await stranger('GET', path);
        expect({ status, ...body }).toMatchObject({ status: 404, error: { code: 'PowerBIEntityNotFound' } });
      }
      expect((await stranger('DELETE', `groups/${id}`)).status).toBe(404);
      expect((await good(stranger('GET', 'groups'))).value).toEqual([]);
    });
  });

  it('cannot be reached by the key of a personal workspace', async () => {
    const guessed = encodeURIComponent('personal/10000000-0000-4000-8000-000000000011');
    expect((await ask('GET', `groups/${guessed}/datasets`)).status).toBe(404);
  });
});
