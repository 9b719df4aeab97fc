import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { type Bench, onBothStores } from '../../../support/jars.ts';
import { device, exception, managedError, post } from '../sdk.ts';
import { administrator, makeApp, type Person } from '../support.ts';

const MAPPING = `# compiler: R8
com.shop.Cart -> a.b:
    int count -> a
    1:4:void pay(int):20:23 -> a
    5:5:void com.shop.Purse.open():7 -> a
    5:5:void pay(int):24 -> a
    void ship() -> c
com.shop.NoMoney -> a.c:
`;

const OF_BUILD_7 = { symbol_type: 'AndroidProguard', file_name: 'mapping.txt', version: '1.0', build: '7' };

const START = 'start=2000-01-01T00:00:00Z';
const short = (methodName: string, lineNumber: number) => ({
  className: 'a.b',
  methodName,
  fileName: 'SourceFile',
  lineNumber,
});

/** The names in the stack trace of a crash of that build, sent now. */
async function namesOf(bench: Bench, admin: Person, app: { app_secret: string; name: string }, build: string) {
  // So that the crash is the newest.
  await bench.jar.clock.advance('1s');
  const crash = managedError({
    device: device({ appBuild: build }),
    exception: exception('a.c', 'no money', [
      short('a', 3),
      short('a', 5),
      short('c', 1),
      { className: 'x.y', methodName: 'z' },
    ]),
    threads: [],
  });
  await post(bench, app, randomUUID(), [crash]);
  const at = `/apps/admin/${app.name}/errors`;
  const [group] = (
    await admin.call('GET', `${at}/errorGroups?${START}&app_build=${build}&$orderby=lastOccurrence desc`)
  ).body.errorGroups;
  const trace = (await admin.call('GET', `${at}/errorGroups/${group.errorGroupId}/stacktrace`)).body;
  return [group.exceptionType, ...trace.exception.frames.map((frame: { code_raw: string }) => frame.code_raw)];
}

onBothStores('symbols of an app', (bench) => {
  it('make the stack traces of later crashes of that build readable, until they are deleted', async () => {
    const admin = await administrator(bench);
    const app = await makeApp(admin, 'Shop');
    const at = '/apps/admin/Shop';
    const shortNames = ['a.c', 'a.b.a(SourceFile:3)', 'a.b.a(SourceFile:5)', 'a.b.c(SourceFile:1)', 'x.y.z'];
    expect(await namesOf(bench, admin, app, '7')).toEqual(shortNames);

    const begun = (await admin.call('POST', `${at}/symbol_uploads`, OF_BUILD_7)).body;
    const path = `${at}/symbol_uploads/${begun.symbol_upload_id}`;
    expect((await admin.call('PATCH', path, { status: 'committed' })).status).toBe(400);
    const put = await fetch(begun.upload_url, {
      method: 'PUT',
      headers: { 'x-ms-blob-type': 'BlockBlob' },
      body: MAPPING,
    });
    expect(put.status).toBe(201);
    expect((await admin.call('GET', path)).body).toMatchObject({ status: 'created', user: { email: admin.email } });
    const committed = (await admin.call('PATCH', path, { status: 'committed' })).body;
    expect(committed).toMatchObject({
      status: 'indexed',
      symbol_type: 'AndroidProguard',
      symbols_uploaded: [{ platform: 'android' }],
    });
    expect((await admin.call('PATCH', path, { status: 'committed' })).body.status).toBe('indexed');
    expect((await admin.call('PATCH', path, { status: 'aborted' })).status).toBe(400);
    expect((await fetch(begun.upload_url, { method: 'PUT', body: 'x' })).status).toBe(409);

    expect(await namesOf(bench, admin, app, '7')).toEqual([
      'com.shop.NoMoney',
      'com.shop.Cart.pay(Cart.java:22)',
      'com.shop.Purse.open(Purse.java:7)',
      'com.shop.Cart.pay(Cart.java:24)',
      'com.shop.Cart.ship(Cart.java:1)',
      'x.y.z',
    ]);
    expect(await namesOf(bench, admin, app, '8')).toEqual(shortNames);

    const [symbol] = (await admin.call('GET', `${at}/symbols`)).body;
    expect(symbol).toMatchObject({ type: 'AndroidProguard', status: 'available', version: '1.0', build: '7' });
    const { uri } = (await admin.call('GET', `${at}/symbols/${symbol.symbol_id}/location`)).body;
    expect(await (await fetch(uri)).text()).toBe(MAPPING);
    expect((await admin.call('DELETE', path)).body.symbol_upload_id).toBe(begun.symbol_upload_id);
    expect((await admin.call('GET', `${at}/symbols/${symbol.symbol_id}`)).status).toBe(404);
    expect((await namesOf(bench, admin, app, '7'))[0]).toBe('a.c');
    expect((await fetch(uri)).status).toBe(404);
  });

  it('are those of the state: a restored snapshot brings no mapping of later', async () => {
    const admin = await administrator(bench);
    const app = await makeApp(admin, 'Restored');
    const uploads = '/apps/admin/Restored/symbol_uploads';
    const begun = (await admin.call('POST', uploads, OF_BUILD_7)).body;
    const commit = async (mapping: string): Promise<string> => {
      await fetch(begun.upload_url, { method: 'PUT', headers: { 'x-ms-blob-type': 'BlockBlob' }, body: mapping });
      const { body } = await admin.call('PATCH', `${uploads}/${begun.symbol_upload_id}`, { status: 'committed' });
      return body.status;
    };
    await bench.jar.snapshot('begun');
    expect(await commit(MAPPING)).toBe('indexed');
    expect((await namesOf(bench, admin, app, '7'))[0]).toBe('com.shop.NoMoney');
    await bench.jar.restore('begun');
    expect(await commit(MAPPING.replaceAll('NoMoney', 'Broke'))).toBe('indexed');
    expect((await namesOf(bench, admin, app, '7'))[0]).toBe('com.shop.Broke');
  });

  it('are kept for 180 days', async () => {
    const admin = await administrator(bench);
    await makeApp(admin, 'Kept');
    const begun = await admin.call('POST', '/apps/admin/Kept/symbol_uploads', { symbol_type: 'Breakpad' });
    const list = async () => (await admin.call('GET', '/apps/admin/Kept/symbol_uploads')).body;
    await bench.jar.clock.advance('179d');
    expect(await list()).toHaveLength(1);
    expect((await fetch(begun.body.upload_url, { method: 'PUT', body: 'x' })).status).toBe(403);
    await bench.jar.clock.advance('1d');
    expect(await list()).toEqual([]);
  });
});
