import { beforeEach, describe, expect, it } from 'vitest';
import { onAnyStore, onBothStores } from '../../../support/jars.ts';
import { type Ask, control, good, person, refusal } from '../support.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');

onBothStores('data platform: secrets', (bench) => {
  beforeEach(() => bench.jar.reset());

  it('a scope is made, filled, read, listed and deleted, at the bare paths as well', async () => {
    const ask = await person(bench);
    await good(ask('POST', '/secrets/scopes/create', { scope: 'Prod.db-1' }));
    await good(ask('POST', '//secrets/put', { scope: 'prod.DB-1', key: 'Password', string_value: 'secret' }));
    await good(ask('POST', '/secrets/put', { scope: 'Prod.db-1', key: 'bytes', bytes_value: base64('\u0000\u0001') }));
    const now = bench.jar.clock.now().getTime();
    expect(await good(ask('GET', '/secrets/list?scope=Prod.db-1'))).toEqual({
      secrets: [
        { key: 'bytes', last_updated_timestamp: now },
        { key: 'Password', last_updated_timestamp: now },
      ],
    });
    expect(await good(ask('GET', '//secrets/get?scope=Prod.db-1&key=password'))).toEqual({
      key: 'Password',
      value: base64('secret'),
    });
    await good(ask('POST', '/secrets/put', { scope: 'Prod.db-1', key: 'Password', string_value: 'newer' }));
    expect((await good(ask('GET', '/secrets/get?scope=Prod.db-1&key=Password'))).value).toBe(base64('newer'));
    expect(await good(ask('GET', '/secrets/scopes/list'))).toEqual({
      scopes: [{ name: 'Prod.db-1', backend_type: 'DATABRICKS' }],
    });
    const again = await ask('POST', '/secrets/scopes/create', { scope: 'prod.db-1' });
    expect(refusal(again)).toMatchObject({ status: 400, code: 'RESOURCE_ALREADY_EXISTS' });
    await good(ask('POST', '/secrets/delete', { scope: 'Prod.db-1', key: 'bytes' }));
    await good(ask('POST', '/secrets/scopes/delete', { scope: 'Prod.db-1' }));
    expect(await good(ask('GET', '/secrets/scopes/list'))).toEqual({ scopes: [] });
    await good(ask('POST', '/secrets/scopes/create', { scope: 'Prod.db-1' }));
    expect(await good(ask('GET', '/secrets/list?scope=Prod.db-1'))).toEqual({ secrets: [] });
  });

  it('scopes of a workspace and secrets of a scope are limited, exactly under concurrency, and counted down by a delete', async () => {
    const ask = await person(bench);
    await control(bench, 'PATCH', 'limits', { name: 'platform.secret-scopes', limit: 3 });
    await control(bench, 'PATCH', 'limits', { name: 'platform.scope-secrets', limit: 4 });
    const numbers = Array.from({ length: 8 }, (_, n) => n);
    const scopes = await Promise.all(numbers.map((n) => ask('POST', '/secrets/scopes/create', { scope: `s${n}` })));
    expect(scopes.filter(({ status }) => status === 200)).toHaveLength(3);
    const [first] = (await good(ask('GET', '/secrets/scopes/list'))).scopes;
    const put = (key: string) => ask('POST', '/secrets/put', { scope: first.name, key, string_value: 'x' });
    const puts = await Promise.all([...numbers, ...numbers].map((n) => put(`k${n}`)));
    expect((await good(ask('GET', `/secrets/list?scope=${first.name}`))).secrets).toHaveLength(4);
    const refused = puts.find(({ status }) => status !== 200);
    expect(refusal(refused as never)).toMatchObject({ status: 400, code: 'RESOURCE_LIMIT_EXCEEDED' });
    expect(refused?.body.details[0].metadata).toMatchObject({ limit: 'platform.scope-secrets', value: '4' });
    await good(ask('POST', '/secrets/scopes/delete', { scope: first.name }));
    await good(ask('POST', '/secrets/scopes/create', { scope: first.name }));
    for (const n of [1, 2, 3, 4]) expect((await put(`new${n}`)).status).toBe(200);
    expect((await put('one-more')).status).toBe(400);
  });

  it('READ, WRITE and MANAGE are held by users, service principals and groups', async () => {
    const [owner, other, admin] = [
      await person(bench, 'licensed'),
      await person(bench, 'no-job-queue'),
      await person(bench),
    ];
    await good(owner('POST', '/secrets/scopes/create', { scope: 's' }));
    await good(owner('POST', '/secrets/put', { scope: 's', key: 'k', string_value: 'v' }));
    const can = async (ask: Ask) => {
      const tries = [
        ask('GET', '/secrets/get?scope=s&key=k'),
        ask('POST', '/secrets/put', { scope: 's', key: 'k', string_value: 'v' }),
        ask('GET', '/secrets/acls/list?scope=s'),
      ];
      return (await Promise.all(tries)).map(({ status }) => status);
    };
    expect(await can(other)).toEqual([403, 403, 403]);
    expect(await can(admin)).toEqual([200, 200, 200]);
    const principal = 'no-job-queue@vendor.example';
    const give = (name: string, permission: string) =>
      good(owner('POST', '/secrets/acls/put', { scope: 's', principal: name, permission }));
    await give(principal, 'READ');
    expect(await can(other)).toEqual([200, 403, 403]);
    await give(principal, 'WRITE');
    expect(await can(other)).toEqual([200, 200, 403]);
    expect(await good(owner('GET', `/secrets/acls/get?scope=s&principal=${principal}`))).toEqual({
      principal,
      permission: 'WRITE',
    });
    await good(owner('POST', '/secrets/acls/delete', { scope: 's', principal }));
    expect(await can(other)).toEqual([403, 403, 403]);
    await give('users', 'MANAGE');
    expect(await can(other)).toEqual([200, 200, 200]);
    const stranger = await person(bench, 'other');
    expect(await can(stranger)).toEqual([404, 404, 404]);
  });
});

onAnyStore('data platform: rules of secrets', (bench) => {
  beforeEach(() => bench.jar.reset());

  it('a value may have as many bytes as the limit and no more', async () => {
    const ask = await person(bench);
    await good(ask('POST', '/secrets/scopes/create', { scope: 's' }));
    const put = (value: string) => ask('POST', '/secrets/put', { scope: 's', key: 'k', string_value: value });
    await good(put('x'.repeat(128 * 1024)));
    expect(refusal(await put('x'.repeat(128 * 1024 + 1)))).toMatchObject({
      status: 400,
      code: 'INVALID_PARAMETER_VALUE',
    });
    const { value } = await good(ask('GET', '/secrets/get?scope=s&key=k'));
    expect(Buffer.from(value, 'base64')).toHaveLength(128 * 1024);
  });

  it('everybody manages a scope that is made for users', async () => {
    const [owner, other] = [await person(bench, 'licensed'), await person(bench, 'no-job-queue')];
    await good(owner('POST', '/secrets/scopes/create', { scope: 's', initial_manage_principal: 'users' }));
    expect(await good(other('GET', '/secrets/acls/list?scope=s'))).toEqual({
      items: [{ principal: 'users', permission: 'MANAGE' }],
    });
  });

  it('a scope that is backed by a key vault is a record: its values are refused', async () => {
    const ask = await person(bench);
    const backend_azure_keyvault = { resource_id: '/subscriptions/1/kv', dns_name: 'https://kv.example/' };
    const made = { scope: 'kv', scope_backend_type: 'AZURE_KEYVAULT' };
    expect(refusal(await ask('POST', '/secrets/scopes/create', made)).code).toBe('INVALID_PARAMETER_VALUE');
    await good(ask('POST', '/secrets/scopes/create', { ...made, backend_azure_keyvault }));
    expect((await good(ask('GET', '/secrets/scopes/list'))).scopes).toEqual([
      { name: 'kv', backend_type: 'AZURE_KEYVAULT', keyvault_metadata: backend_azure_keyvault },
    ]);
    for (const reply of [
      await ask('GET', '/secrets/get?scope=kv&key=k'),
      await ask('GET', '/secrets/list?scope=kv'),
      await ask('POST', '/secrets/put', { scope: 'kv', key: 'k', string_value: 'v' }),
    ])
      expect(refusal(reply)).toMatchObject({
        status: 400,
        code: 'INVALID_STATE',
        message: expect.stringContaining('key vault'),
      });
  });

  describe('bad requests', () => {
    const cases: readonly [string, string, unknown, string][] = [
      ['a scope without a name', 'scopes/create', {}, 'INVALID_PARAMETER_VALUE'],
      ['a scope with a slash', 'scopes/create', { scope: 'a/b' }, 'INVALID_PARAMETER_VALUE'],
      ['a scope of 129 letters', 'scopes/create', { scope: 'a'.repeat(129) }, 'INVALID_PARAMETER_VALUE'],
      ['a name that is no text', 'scopes/create', { scope: 7 }, 'MALFORMED_REQUEST'],
      [
        'another first manager',
        'scopes/create',
        { scope: 'x', initial_manage_principal: 'admins' },
        'INVALID_PARAMETER_VALUE',
      ],
      ['both values', 'put', { scope: 's', key: 'k', string_value: 'a', bytes_value: 'YQ==' }, 'MALFORMED_REQUEST'],
      ['neither value', 'put', { scope: 's', key: 'k' }, 'MALFORMED_REQUEST'],
      ['no base64', 'put', { scope: 's', key: 'k', bytes_value: '%%' }, 'MALFORMED_REQUEST'],
      ['a key with a blank', 'put', { scope: 's', key: 'a b', string_value: '' }, 'INVALID_PARAMETER_VALUE'],
      ['an unknown scope', 'put', { scope: 'none', key: 'k', string_value: '' }, 'RESOURCE_DOES_NOT_EXIST'],
      ['an unknown key', 'delete', { scope: 's', key: 'none' }, 'RESOURCE_DOES_NOT_EXIST'],
      ['an unknown scope to delete', 'scopes/delete', { scope: 'none' }, 'RESOURCE_DOES_NOT_EXIST'],
      [
        'an unknown principal',
        'acls/put',
        { scope: 's', principal: 'no', permission: 'READ' },
        'INVALID_PARAMETER_VALUE',
      ],
      [
        'an unknown permission',
        'acls/put',
        { scope: 's', principal: 'users', permission: 'ALL' },
        'INVALID_PARAMETER_VALUE',
      ],
      ['an entry that is not there', 'acls/delete', { scope: 's', principal: 'users' }, 'RESOURCE_DOES_NOT_EXIST'],
    ];
    it.each(cases)('%s', async (_title, path, body, code) => {
      const ask = await person(bench);
      await good(ask('POST', '/secrets/scopes/create', { scope: 's' }));
      expect(refusal(await ask('POST', `/secrets/${path}`, body)).code).toBe(code);
      expect((await good(ask('GET', '/secrets/scopes/list'))).scopes).toHaveLength(1);
      expect(await good(ask('GET', '/secrets/list?scope=s'))).toEqual({ secrets: [] });
    });
  });
});
