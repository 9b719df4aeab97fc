import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Bench, onAnyStore, onBothStores } from '../../../support/jars.ts';
import { ACCOUNT } from '../sdk.ts';
import { control, good, person, refusal } from '../support.ts';

const LISTS = '/ip-access-lists';
const SNIPPETS = '/preview/sql/query_snippets';
const ACC = `/accounts/${ACCOUNT}`;
const TOGGLE = `${ACC}/settings/types/acct_ip_acl_enable/names/default`;

interface From {
  readonly status: number;
  readonly message: string;
}

/** A call from another address of this machine. */
async function callFrom(bench: Bench, localAddress: string, path: string): Promise<From> {
  const { port } = new URL(bench.jar.url);
  const token = await bench.jar.token({ user: 'admin', ttl: '3650d' });
  const call = request({
    host: '127.0.0.1',
    port,
    localAddress,
    agent: false,
    path: `/api/2.0${path}`,
    // Address headers of the client are ignored.
    headers: { authorization: `Bearer ${token}`, 'x-forwarded-for': '127.0.0.1', forwarded: 'for=127.0.0.1' },
  });
  call.end();
  const [answer] = (await once(call, 'response')) as [IncomingMessage];
  let text = '';
  for await (const part of answer.setEncoding('utf8')) text += part;
  return { status: answer.statusCode ?? 0, message: JSON.parse(text).message };
}

onBothStores('data platform: IP access lists', (bench) => {
  beforeEach(() => bench.jar.reset());

  it('lists guard a workspace once they are enabled, block lists before allow lists', async () => {
    const ask = await person(bench);
    const { ip_access_list: blocked } = await good(
      ask('POST', LISTS, { label: 'bad', list_type: 'BLOCK', ip_addresses: ['127.0.0.2'] }),
    );
    expect(blocked).toMatchObject({ address_count: 1, enabled: true, list_type: 'BLOCK', label: 'bad' });
    expect(blocked.created_by).toBeTypeOf('number');
    expect((await callFrom(bench, '127.0.0.2', SNIPPETS)).status).toBe(200);
    await good(ask('PATCH', '/workspace-conf', { enableIpAccessLists: 'true' }), 204);
    const refused = await callFrom(bench, '127.0.0.2', SNIPPETS);
    expect(refused.status).toBe(403);
    expect(refused.message).toMatch(
      /^Source IP address: 127\.0\.0\.2 is blocked by Databricks IP ACL for workspace: \d{15} \[ReqId: /,
    );
    expect((await callFrom(bench, '127.0.0.3', SNIPPETS)).status).toBe(200);

    await good(ask('POST', LISTS, { label: 'us', list_type: 'ALLOW', ip_addresses: ['127.0.0.1', '127.0.0.2/31'] }));
    expect((await callFrom(bench, '127.0.0.2', SNIPPETS)).status).toBe(403);
    expect((await callFrom(bench, '127.0.0.3', SNIPPETS)).status).toBe(200);
    expect((await callFrom(bench, '127.0.0.4', SNIPPETS)).status).toBe(403);

    const one = `${LISTS}/${blocked.list_id}`;
    await good(ask('PATCH', one, { enabled: false }));
    expect((await callFrom(bench, '127.0.0.2', SNIPPETS)).status).toBe(200);
    await good(ask('PUT', one, { label: 'bad', list_type: 'BLOCK', enabled: true, ip_addresses: ['127.0.0.3'] }));
    expect((await callFrom(bench, '127.0.0.3', SNIPPETS)).status).toBe(403);
    await good(ask('DELETE', one));
    expect((await callFrom(bench, '127.0.0.3', SNIPPETS)).status).toBe(200);
    await good(ask('PATCH', '/workspace-conf', { enableIpAccessLists: 'false' }), 204);
    expect((await callFrom(bench, '127.0.0.4', SNIPPETS)).status).toBe(200);
    expect((await good(ask('GET', LISTS))).ip_access_lists).toHaveLength(1);
  });

  it('lists of the account guard its API and not the workspaces', async () => {
    const ask = await person(bench);
    await good(ask('POST', ACC + LISTS, { label: 'us', list_type: 'ALLOW', ip_addresses: ['127.0.0.1'] }));
    expect((await callFrom(bench, '127.0.0.2', ACC + LISTS)).status).toBe(200);
    const { etag, acct_ip_acl_enable } = await good(ask('GET', TOGGLE));
    expect(acct_ip_acl_enable).toEqual({ value: false });
    const setting = (value: boolean, version: string) => ({
      allow_missing: true,
      field_mask: 'acct_ip_acl_enable.value',
      setting: { etag: version, setting_name: 'default', acct_ip_acl_enable: { value } },
    });
    const changed = await good(ask('PATCH', TOGGLE, setting(true, etag)));
    expect(changed).toMatchObject({ setting_name: 'default', acct_ip_acl_enable: { value: true } });
    expect(refusal(await ask('PATCH', TOGGLE, setting(false, etag)))).toMatchObject({ status: 409 });
    const refused = await callFrom(bench, '127.0.0.2', ACC + LISTS);
    expect(refused).toMatchObject({ status: 403, message: expect.stringContaining(`for account: ${ACCOUNT}`) });
    expect((await callFrom(bench, '127.0.0.2', SNIPPETS)).status).toBe(200);
    await good(ask('DELETE', TOGGLE));
    expect((await callFrom(bench, '127.0.0.2', ACC + LISTS)).status).toBe(200);
  });

  it('addresses count over all lists of a scope, exactly under concurrency, and are freed by changes', async () => {
    const ask = await person(bench);
    await control(bench, 'PATCH', 'limits', { name: 'platform.ip-access-workspace', limit: 10 });
    const list = (n: number) => ({
      label: `l${n}`,
      list_type: 'BLOCK',
      ip_addresses: [1, 2, 3].map((part) => `10.${n}.0.${part}`),
    });
    const made = await Promise.all([1, 2, 3, 4, 5, 6].map((n) => ask('POST', LISTS, list(n))));
    const passed = made.filter(({ status }) => status === 200);
    expect(passed).toHaveLength(3);
    const refused = made.find(({ status }) => status !== 200);
    expect(refused && refusal(refused)).toMatchObject({ status: 400, code: 'QUOTA_EXCEEDED' });
    await good(ask('POST', LISTS, { ...list(7), ip_addresses: ['10.7.0.1'] }));
    const id = passed[0]?.body.ip_access_list.list_id;
    expect((await ask('PATCH', `${LISTS}/${id}`, { ip_addresses: list(8).ip_addresses })).status).toBe(200);
    const larger = [...list(8).ip_addresses, '10.8.0.4'];
    expect(refusal(await ask('PATCH', `${LISTS}/${id}`, { ip_addresses: larger })).code).toBe('QUOTA_EXCEEDED');
    await good(ask('PATCH', `${LISTS}/${id}`, { ip_addresses: ['10.8.0.1'] }));
    await good(ask('POST', LISTS, { ...list(9), ip_addresses: ['10.9.0.1', '10.9.0.2'] }));
    expect((await ask('POST', LISTS, { ...list(9), ip_addresses: ['10.9.0.3'] })).status).toBe(400);
    await good(ask('POST', ACC + LISTS, list(1)));
  });
});

onAnyStore('data platform: rules of IP access lists', (bench) => {
  beforeEach(() => bench.jar.reset());

  it('callers cannot lock themselves out: neither by a list, nor by enabling lists, nor by deleting the list that admits them', async () => {
    const ask = await person(bench);
    const far = { label: 'far', list_type: 'ALLOW', ip_addresses: ['10.0.0.0/8'] };
    const { ip_access_list: list } = await good(ask('POST', LISTS, far));
    const locked = { status: 400, code: 'INVALID_STATE' };
    expect(refusal(await ask('PATCH', '/workspace-conf', { enableIpAccessLists: 'true' }))).toMatchObject(locked);
    expect(await good(ask('GET', '/workspace-conf?keys=enableIpAccessLists'))).toEqual({ enableIpAccessLists: null });
    const near = await good(ask('POST', LISTS, { label: 'near', list_type: 'ALLOW', ip_addresses: ['127.0.0.0/8'] }));
    await good(ask('PATCH', '/workspace-conf', { enableIpAccessLists: 'true' }), 204);
    const id = near.ip_access_list.list_id;
    expect(refusal(await ask('DELETE', `${LISTS}/${id}`))).toMatchObject(locked);
    expect(refusal(await ask('PATCH', `${LISTS}/${id}`, { enabled: false }))).toMatchObject(locked);
    expect(
      refusal(await ask('POST', LISTS, { ...far, list_type: 'BLOCK', ip_addresses: ['0.0.0.0/0'] })),
    ).toMatchObject(locked);
    expect((await good(ask('GET', LISTS))).ip_access_lists).toHaveLength(2);
    await good(ask('DELETE', `${LISTS}/${list.list_id}`));
  });

  describe('bad requests', () => {
    const label = 'x';
    const cases: readonly [string, unknown, string][] = [
      ['no label', { list_type: 'ALLOW' }, 'INVALID_PARAMETER_VALUE'],
      ['an empty label', { label: '', list_type: 'ALLOW' }, 'INVALID_PARAMETER_VALUE'],
      ['no type', { label }, 'INVALID_PARAMETER_VALUE'],
      ['an unknown type', { label, list_type: 'MAYBE' }, 'INVALID_PARAMETER_VALUE'],
      ['addresses that are no list', { label, list_type: 'ALLOW', ip_addresses: '1.2.3.4' }, 'MALFORMED_REQUEST'],
      ...['1.2.3', '1.2.3.4/33', '::1', '1.2.3.256', 'a', '1.2.3.4/', ' 1.2.3.4'].map(
        (address): [string, unknown, string] => [
          `the address '${address}'`,
          { label, list_type: 'ALLOW', ip_addresses: [address] },
          'INVALID_PARAMETER_VALUE',
        ],
      ),
    ];
    it.each(cases)('%s', async (_title, body, code) => {
      const ask = await person(bench);
      expect(refusal(await ask('POST', LISTS, body)).code).toBe(code);
      expect(await good(ask('GET', LISTS))).toEqual({ ip_access_lists: [] });
    });

    it('an unknown list, another user, and unknown settings', async () => {
      const [ask, user] = [await person(bench), await person(bench, 'licensed')];
      expect(refusal(await ask('GET', `${LISTS}/none`))).toMatchObject({
        status: 404,
        code: 'RESOURCE_DOES_NOT_EXIST',
      });
      expect(refusal(await ask('PUT', `${LISTS}/none`, { label: 'x', list_type: 'ALLOW' })).message).toBe(
        'Missing required field: enabled',
      );
      for (const [method, path] of [
        ['GET', LISTS],
        ['GET', ACC + LISTS],
        ['GET', TOGGLE],
        ['GET', '/workspace-conf?keys=enableDcs'],
      ] as const)
        expect(refusal(await user(method, path))).toMatchObject({ status: 403, code: 'PERMISSION_DENIED' });
      expect(refusal(await ask('GET', '/workspace-conf?keys=enableDcs,toString'))).toMatchObject({
        code: 'BAD_REQUEST',
        message: 'Invalid keys: ["toString"]',
      });
      expect(refusal(await ask('PATCH', '/workspace-conf', { enableDcs: true })).code).toBe('MALFORMED_REQUEST');
      expect(refusal(await ask('PATCH', '/workspace-conf', { enableDcs: 'yes' })).code).toBe('BAD_REQUEST');
      expect(refusal(await ask('PATCH', '/workspace-conf', { other: 'true' })).message).toBe('Invalid keys: ["other"]');
    });
  });
});
