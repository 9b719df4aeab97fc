import { beforeEach, expect, it } from 'vitest';
import { rowOf } from '../../../../src/services/platform/limits/declared.ts';
import { onAnyStore, type Reply } from '../../../support/jars.ts';
import { type Ask, control, good, person, withoutRates } from '../support.ts';

/** The details of a limit error: the limit, its value, its scope and whether it can be raised. */
const named = ({ body }: Reply) => body.details.find(({ reason }: { reason?: string }) => reason === 'LIMIT_EXCEEDED');

onAnyStore('data platform: bounds of secret scopes', (bench) => {
  let ask: Ask;

  beforeEach(async () => {
    await bench.jar.reset();
    await withoutRates(bench);
    ask = await person(bench);
    await good(ask('POST', '/secrets/scopes/create', { scope: 'bounded' }));
  });

  const put = (bytes: number, text = 'x') =>
    ask('POST', '/secrets/put', { scope: 'bounded', key: 'key', string_value: text.repeat(bytes) });

  it('secret-size: a value of 131,072 bytes is kept, one more is refused and changes nothing', async () => {
    const most = rowOf('secret-size').limit as number;
    expect(most).toBe(131_072);
    await good(put(most));
    const refused = await put(most + 1);
    expect(refused.status).toBe(400);
    expect(named(refused).metadata).toMatchObject({
      limit: 'platform.secret-size',
      value: '131072',
      secretScope: 'bounded',
      raisable: 'false',
    });
    const { value } = await good(ask('GET', '/secrets/get?scope=bounded&key=key'));
    expect(Buffer.from(value, 'base64')).toHaveLength(most);
  });

  it('secret-size counts bytes and not characters', async () => {
    await control(bench, 'PATCH', 'limits', { name: 'platform.secret-size', limit: 10 });
    await good(put(5, 'ä'));
    expect((await put(6, 'ä')).status).toBe(400);
  });

  it('scope-acls: as many entries as the limit says; a changed one is no new one, and a removed one makes room', async () => {
    // The creator of the scope has an entry too.
    await control(bench, 'PATCH', 'limits', { name: 'platform.scope-acls', limit: 3 });
    const names = ['one', 'two', 'three'];
    for (const displayName of names) await good(ask('POST', '/preview/scim/v2/Groups', { displayName }));
    const give = (principal: string, permission = 'READ') =>
      ask('POST', '/secrets/acls/put', { scope: 'bounded', principal, permission });
    await good(give('one'));
    await good(give('two'));
    await good(give('two', 'WRITE'));
    const refused = await give('three');
    expect(refused.status, refused.text).toBe(400);
    expect(named(refused).metadata).toMatchObject({ limit: 'platform.scope-acls', value: '3', raisable: 'false' });
    expect((await good(ask('GET', '/secrets/acls/list?scope=bounded'))).items).toHaveLength(3);
    await good(ask('POST', '/secrets/acls/delete', { scope: 'bounded', principal: 'one' }));
    await good(give('three'));
  });
});
