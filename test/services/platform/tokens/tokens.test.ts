import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { onAnyStore, onBothStores } from '../../../support/jars.ts';
import { ACCOUNT, APPLICATION } from '../sdk.ts';
import { by, control, good, person, refusal } from '../support.ts';

const SNIPPETS = '/preview/sql/query_snippets';
const INVALID = { status: 403, code: 403 };

onBothStores('data platform: personal access tokens', (bench) => {
  beforeEach(() => bench.jar.reset());

  it('the id of a token is the digest of its value, which no later answer has', async () => {
    const ask = await person(bench);
    const { token_value, token_info } = await good(ask('POST', '/token/create', { comment: 'ci' }));
    expect(token_info.token_id).toBe(createHash('sha256').update(token_value).digest('hex'));
    const lists = [await ask('GET', '/token/list'), await ask('GET', '/token-management/tokens')];
    for (const { text } of lists) expect(text).not.toContain(token_value);
    expect(lists[0]?.body.token_infos).toEqual([token_info]);
  });

  it('a token ends with its lifetime on the clock, and counts no longer', async () => {
    const ask = await person(bench);
    await control(bench, 'PATCH', 'limits', { name: 'platform.user-tokens', limit: 1 });
    const { token_value } = await good(ask('POST', '/token/create', { lifetime_seconds: 60 }));
    const mine = by(bench, token_value);
    expect(refusal(await ask('POST', '/token/create', {}))).toMatchObject({ status: 400, code: 'QUOTA_EXCEEDED' });
    await bench.jar.clock.advance('59s');
    await good(mine('GET', '/token/list'));
    await bench.jar.clock.advance('1s');
    expect(refusal(await mine('GET', '/token/list'))).toMatchObject(INVALID);
    expect(await good(ask('GET', '/token/list'))).toEqual({ token_infos: [] });
    const lasting = await good(ask('POST', '/token/create', {}));
    expect(lasting.token_info.expiry_time - lasting.token_info.creation_time).toBe(730 * 86_400_000);
  });

  it('a token is good again where time is set back before its end, and not where it was made later', async () => {
    const ask = await person(bench);
    const { token_value } = await good(ask('POST', '/token/create', { lifetime_seconds: 60 }));
    await bench.jar.snapshot('before');
    const later = await good(ask('POST', '/token/create', {}));
    await bench.jar.clock.advance('3650d');
    for (const token of [token_value, later.token_value])
      expect(refusal(await by(bench, token)('GET', '/token/list'))).toMatchObject(INVALID);
    await bench.jar.restore('before');
    await good(by(bench, token_value)('GET', '/token/list'));
    expect(refusal(await by(bench, later.token_value)('GET', '/token/list'))).toMatchObject(INVALID);
    await bench.jar.clock.advance('60s');
    expect(refusal(await by(bench, token_value)('GET', '/token/list'))).toMatchObject(INVALID);
  });

  it('of 12 concurrent creations exactly as many pass as the limit has room for', async () => {
    const ask = await person(bench, 'licensed');
    await control(bench, 'PATCH', 'limits', { name: 'platform.user-tokens', limit: 5 });
    const replies = await Promise.all(Array.from({ length: 12 }, () => ask('POST', '/token/create', {})));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(5);
    expect((await good(ask('GET', '/token/list'))).token_infos).toHaveLength(5);
    const other = await person(bench, 'no-job-queue');
    await good(other('POST', '/token/create', {}));
  });

  it('administrators list the tokens of all, of one creator by id or name, and see nothing of other accounts', async () => {
    const [admin, licensed, other] = [
      await person(bench),
      await person(bench, 'licensed'),
      await person(bench, 'other'),
    ];
    const made: string[] = [];
    for (const ask of [admin, licensed, licensed])
      made.push((await good(ask('POST', '/token/create', {}))).token_info.token_id);
    await good(other('POST', '/token/create', {}));
    const listed = async (query: string) => (await good(admin('GET', `/token-management/tokens${query}`))).token_infos;
    const infos = await listed('');
    expect(infos.map((info: { token_id: string }) => info.token_id).toSorted()).toEqual(made.toSorted());
    const { created_by_id } = infos.find((info: { token_id: string }) => info.token_id === made[1]);
    expect(await listed(`?created_by_id=${created_by_id}`)).toHaveLength(2);
    expect(await listed('?created_by_username=Licensed@vendor.example')).toHaveLength(2);
    expect(await listed('?created_by_username=nobody@vendor.example')).toEqual([]);
    expect(refusal(await other('GET', `/token-management/tokens/${made[0]}`))).toMatchObject({
      status: 404,
      code: 'RESOURCE_DOES_NOT_EXIST',
    });
    expect(refusal(await other('DELETE', `//token-management/tokens/${made[0]}`))).toMatchObject({ status: 404 });
    expect(refusal(await licensed('GET', '/token-management/tokens'))).toMatchObject({
      status: 403,
      code: 'PERMISSION_DENIED',
    });
    await good(admin('DELETE', `//token-management/tokens/${made[1]}`));
    expect(await listed('')).toHaveLength(2);
  });

  it('the day of the last use is kept once a day', async () => {
    const ask = await person(bench);
    const { token_value, token_info } = await good(ask('POST', '/token/create', {}));
    const usedDay = async () =>
      (await good(ask('GET', `/token-management/tokens/${token_info.token_id}`))).token_info.last_used_day;
    expect(await usedDay()).toBeUndefined();
    for (const by_ of [0, 1, 2]) {
      if (by_ > 0) await bench.jar.clock.advance('1d');
      await Promise.all([1, 2, 3].map(() => good(by(bench, token_value)('GET', SNIPPETS))));
      expect(await usedDay()).toBe(Math.floor(bench.jar.clock.now().getTime() / 86_400_000) * 86_400_000);
    }
  });
});

onAnyStore('data platform: rules of personal access tokens', (bench) => {
  beforeEach(() => bench.jar.reset());

  it('comment and scopes of a token can be changed by its owner and by administrators', async () => {
    const [admin, licensed] = [await person(bench), await person(bench, 'licensed')];
    const { token_info } = await good(licensed('POST', '/token/create', { comment: 'a', scopes: ['all-apis'] }));
    const id = token_info.token_id;
    const read = async () => (await good(licensed('GET', '/token/list'))).token_infos[0];
    await good(licensed('PATCH', `/token/${id}`, { token: { comment: 'b' }, update_mask: 'comment' }));
    expect(await read()).toMatchObject({ comment: 'b', scopes: ['all-apis'] });
    await good(admin('PATCH', `/token-management/tokens/${id}`, { token: { scopes: ['sql'] } }));
    expect(await read()).toMatchObject({ comment: 'b', scopes: ['sql'] });
    const refused = await admin('PATCH', `/token/${id}`, { token: { comment: 'c' } });
    expect(refusal(refused)).toMatchObject({ status: 404, code: 'NOT_FOUND' });
    expect(refusal(await licensed('PATCH', `/token/${id}`, { token: {}, update_mask: 'owner' }))).toMatchObject({
      status: 400,
      code: 'INVALID_PARAMETER_VALUE',
    });
  });

  describe('bad requests change nothing', () => {
    const cases: readonly [string, string, unknown, string][] = [
      ['a lifetime of 0', '/token/create', { lifetime_seconds: 0 }, 'INVALID_PARAMETER_VALUE'],
      ['a lifetime that is no number', '/token/create', { lifetime_seconds: 'soon' }, 'MALFORMED_REQUEST'],
      ['an endless lifetime', '/token/create', { lifetime_seconds: 9e14 }, 'INVALID_PARAMETER_VALUE'],
      ['a comment that is no text', '/token/create', { comment: 1 }, 'MALFORMED_REQUEST'],
      ['a long comment', '/token/create', { comment: 'x'.repeat(1001) }, 'INVALID_PARAMETER_VALUE'],
      ['a body that is no object', '/token/create', [], 'MALFORMED_REQUEST'],
      ['no id to delete', '/token/delete', {}, 'INVALID_PARAMETER_VALUE'],
      ['an unknown id to delete', '/token/delete', { token_id: 'x' }, 'RESOURCE_DOES_NOT_EXIST'],
      ['no application', '/token-management/on-behalf-of/tokens', {}, 'INVALID_PARAMETER_VALUE'],
      [
        'an unknown application',
        '/token-management/on-behalf-of/tokens',
        { application_id: 'x' },
        'RESOURCE_DOES_NOT_EXIST',
      ],
    ];
    it.each(cases)('%s', async (_title, path, body, code) => {
      const ask = await person(bench);
      expect(refusal(await ask('POST', path, body)).code).toBe(code);
      expect(await good(ask('GET', '/token-management/tokens'))).toEqual({ token_infos: [] });
    });
  });

  it('the settings of the workspace bound lifetimes and turn tokens off', async () => {
    const ask = await person(bench);
    const { token_value } = await good(ask('POST', '/token/create', {}));
    await good(ask('PATCH', '/workspace-conf', { maxTokenLifetimeDays: '10' }), 204);
    const refused = await ask('POST', '/token/create', { lifetime_seconds: 10 * 86_400 + 1 });
    expect(refusal(refused)).toMatchObject({ status: 400, code: 'INVALID_PARAMETER_VALUE' });
    await good(ask('POST', '/token/create', { lifetime_seconds: 10 * 86_400 }));
    const obo = await good(ask('POST', '/token-management/on-behalf-of/tokens', { application_id: APPLICATION }));
    expect(obo.token_info.expiry_time - obo.token_info.creation_time).toBe(10 * 86_400_000);

    await good(ask('PATCH', '/workspace-conf', { enableTokensConfig: 'false' }), 204);
    expect(refusal(await ask('POST', '/token/create', {}))).toMatchObject({ status: 404, code: 'FEATURE_DISABLED' });
    expect(refusal(await by(bench, token_value)('GET', SNIPPETS))).toMatchObject({
      ...INVALID,
      message: expect.stringContaining('disabled'),
    });
    await good(ask('PATCH', '/workspace-conf', { enableTokensConfig: 'true' }), 204);
    await good(by(bench, token_value)('GET', SNIPPETS));
    expect(await good(ask('GET', '/workspace-conf?keys=maxTokenLifetimeDays,enableDcs'))).toEqual({
      maxTokenLifetimeDays: '10',
      enableDcs: null,
    });
  });

  it('tokens are for those who have CAN_USE on them, which is everybody until an administrator says otherwise', async () => {
    const [admin, licensed] = [await person(bench), await person(bench, 'licensed')];
    const { token_value } = await good(licensed('POST', '/token/create', {}));
    const replace = (access_control_list: readonly object[]) =>
      good(admin('PUT', '/permissions/authorization/tokens', { access_control_list }));
    await replace([{ user_name: 'no-job-queue@vendor.example', permission_level: 'CAN_USE' }]);
    expect(refusal(await licensed('POST', '/token/create', {}))).toMatchObject({
      status: 403,
      code: 'PERMISSION_DENIED',
    });
    expect(refusal(await by(bench, token_value)('GET', SNIPPETS))).toMatchObject(INVALID);
    const obo = () => admin('POST', '/token-management/on-behalf-of/tokens', { application_id: APPLICATION });
    expect(refusal(await obo())).toMatchObject({ status: 403, code: 'PERMISSION_DENIED' });
    await good((await person(bench, 'no-job-queue'))('POST', '/token/create', {}));
    await good(admin('POST', '/token/create', {}));
    await replace([{ group_name: 'users', permission_level: 'CAN_USE' }]);
    await good(by(bench, token_value)('GET', SNIPPETS));
    expect((await obo()).status).toBe(200);
  });

  it('a token ends with its owner, and counts no longer', async () => {
    const [admin, licensed] = [await person(bench), await person(bench, 'licensed')];
    const { token_value } = await good(licensed('POST', '/token/create', {}));
    const [user] = (await good(admin('GET', '/preview/scim/v2/Users?filter=userName eq "licensed@vendor.example"')))
      .Resources;
    await good(
      admin('PATCH', `/preview/scim/v2/Users/${user.id}`, {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
        Operations: [{ op: 'replace', path: 'active', value: false }],
      }),
    );
    expect(refusal(await by(bench, token_value)('GET', SNIPPETS))).toMatchObject(INVALID);
    await good(admin('DELETE', `/accounts/${ACCOUNT}/scim/v2/Users/${user.id}`));
    expect(refusal(await by(bench, token_value)('GET', SNIPPETS))).toMatchObject(INVALID);
    expect(await good(admin('GET', '/token-management/tokens'))).toEqual({ token_infos: [] });
    const { body } = await control(bench, 'GET', 'limits?name=platform.user-tokens');
    expect(JSON.stringify(body)).not.toContain(`"principal":"${user.id}"`);
  });

  it('a token is good in its workspace only, whatever else the call names', async () => {
    const ask = await person(bench);
    const { token_value } = await good(ask('POST', '/token/create', {}));
    const workspace = (await ask('GET', SNIPPETS)).headers.get('x-databricks-org-id') as string;
    const mine = by(bench, token_value);
    await good(mine('GET', SNIPPETS, undefined, { 'x-databricks-workspace-id': workspace }));
    for (const header of ['x-databricks-workspace-id', 'x-databricks-org-id'])
      expect(refusal(await mine('GET', SNIPPETS, undefined, { [header]: '1' }))).toMatchObject(INVALID);
    expect(refusal(await mine('GET', `${SNIPPETS}?o=1`))).toMatchObject(INVALID);
  });

  it('an address that guesses tokens is slowed down, and right tokens from it pass', async () => {
    const ask = await person(bench);
    const { token_value } = await good(ask('POST', '/token/create', {}));
    await control(bench, 'PATCH', 'limits', { name: 'platform.wrong-tokens', limit: 3 });
    const guess = () => by(bench, `dapi${'0'.repeat(32)}`)('GET', SNIPPETS);
    for (let n = 0; n < 3; n++) expect((await guess()).status).toBe(403);
    const slowed = await guess();
    expect(slowed.status).toBe(429);
    expect(Number(slowed.headers.get('retry-after'))).toBeGreaterThan(0);
    await good(by(bench, token_value)('GET', SNIPPETS));
    await bench.jar.clock.advance('5m');
    expect((await guess()).status).toBe(403);
    expect((await by(bench, `dapi${'0'.repeat(5000)}`)('GET', SNIPPETS)).status).toBe(403);
  });
});
