import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { Mapping } from '../../../../src/services/lifecycle/symbols/mapping.ts';
import { symbolIdsIn } from '../../../../src/services/lifecycle/symbols/symbol-ids.ts';
import { withJar } from '../../../support/jars.ts';
import { device, exception, managedError, post } from '../sdk.ts';
import { administrator, makeApp, type Person } from '../support.ts';
import { PROGRAM, program, universal, zipOf } from './mach-o.ts';

it.each([
  ['a program', program(), [PROGRAM]],
  ['an archive with a program', zipOf(program()), [PROGRAM]],
  ['a program whose parts are elsewhere', universal([[48, 56]], program()), []],
  ['a program for several architectures', universal([[28, 56]], program()), [PROGRAM]],
  ['an archive of sixty thousand entries that are one file', zipOf(Buffer.alloc(1024 * 1024), 60_000), []],
  ['a program that says it is part of itself', universal([[0, 28]]), []],
  [
    'a program of many parts that are all of it',
    universal(
      Array.from({ length: 32 }, () => [0, 648] as const),
      Buffer.alloc(100),
    ),
    [],
  ],
  [
    'an archive with a program whose parts are far apart and not in order',
    zipOf(
      universal(
        [
          [3_000_000, 56],
          [48, 56],
        ],
        Buffer.concat([program(), Buffer.alloc(2_999_896), program()]),
      ),
    ),
    [PROGRAM],
  ],
  ['an archive that ends too soon', zipOf(program()).subarray(20), []],
  ['nothing', Buffer.alloc(0), []],
])('the ids in %s are found in no time', async (_, file, ids) => {
  expect(await symbolIdsIn(file)).toEqual(ids);
});

it('a mapping is read by class, however it ends its lines, and only as far as lines and classes are of this world', async () => {
  const text = [
    '# compiler: R8',
    'com.example.Shop -> a.b:',
    '    int count -> a',
    '    1:5:void buy(java.lang.String):20:24 -> a',
    `    1:5:void ${'x'.repeat(20_000)}():1 -> b`,
    `com.example.${'x'.repeat(20_000)} -> z:`,
    'com.example.Cart -> c:',
    ...Array.from({ length: 300 }, (_, i) => `    7:7:void step${i}():${i} -> a`),
  ];
  for (const end of ['\n', '\r\n']) {
    const mapping = (await Mapping.read(Buffer.from(text.join(end)))) as Mapping;
    expect(mapping.className('a.b')).toBe('com.example.Shop');
    expect(mapping.className('z')).toBe('z');
    expect(mapping.frames({ className: 'a.b', methodName: 'a', lineNumber: 3 })).toEqual([
      { className: 'com.example.Shop', methodName: 'buy', fileName: 'Shop.java', lineNumber: 22 },
    ]);
    expect(mapping.frames({ className: 'a.b', methodName: 'b' })).toMatchObject([{ methodName: 'b' }]);
    expect(mapping.frames({ className: 'c', methodName: 'a', lineNumber: 7 })).toHaveLength(50);
  }
  expect(await Mapping.read(Buffer.from('\n'.repeat(50_000)))).toBeUndefined();
});

withJar((bench) => {
  let admin: Person;
  let app: { app_secret: string };

  beforeAll(async () => {
    admin = await administrator(bench);
    app = await makeApp(admin, 'Shop');
  });

  const AT = '/apps/admin/Shop';
  const begin = async (given: object = {}) =>
    (await admin.call('POST', `${AT}/symbol_uploads`, { symbol_type: 'Breakpad', ...given })).body;
  const put = (url: string, body: string | Uint8Array<ArrayBuffer>) => fetch(url, { method: 'PUT', body });
  const commit = (id: string) => admin.call('PATCH', `${AT}/symbol_uploads/${id}`, { status: 'committed' });
  const fetched = async (id: string) =>
    fetch((await admin.call('GET', `${AT}/symbol_uploads/${id}/location`)).body.uri);

  it('a file of any name and of many blocks comes back as it was', async () => {
    const { symbol_upload_id: id, upload_url: url } = await begin({ file_name: "a'b\ud800\r\n(x)*.zip" });
    const bytes = new Uint8Array(Buffer.alloc(5 * 1024 * 1024, 'some bytes of no length in particular, '));
    expect((await put(url, 'what was there before')).status).toBe(201);
    expect((await put(url, bytes)).status).toBe(201);
    const reply = await fetched(id);
    expect(reply.headers.get('content-disposition')).toBe(
      "attachment; filename*=UTF-8''a%27b%EF%BF%BD%0D%0A%28x%29%2A.zip",
    );
    expect(reply.headers.get('x-content-type-options')).toBe('nosniff');
    expect(Buffer.from(await reply.arrayBuffer()).equals(bytes)).toBe(true);
    expect((await commit(id)).body.status).toBe('indexed');
    expect((await put(url, 'too late')).status).toBe(409);
  });

  it('an empty file is none, and a block that changes takes away the file that it was part of', async () => {
    const { symbol_upload_id: id, upload_url: url } = await begin();
    await put(url, '');
    expect((await commit(id)).body.message).toContain('No file was uploaded');
    await put(`${url}&comp=block&blockid=a`, 'one');
    await put(`${url}&comp=block&blockid=unused`, 'three');
    const list = '<BlockList><Latest>a</Latest><Latest>a</Latest></BlockList>';
    expect((await put(`${url}&comp=blocklist`, list)).status).toBe(201);
    expect(await (await fetched(id)).text()).toBe('oneone');
    expect((await put(`${url}&comp=blocklist`, list.replace('>a<', '>unused<'))).status).toBe(400);
    await put(`${url}&comp=block&blockid=a`, 'two');
    expect((await commit(id)).status).toBe(400);
    expect((await put(`${url}&comp=block`, 'x')).status).toBe(400);
  });

  it('blocks without end are refused', async () => {
    const { upload_url: url } = await begin();
    const list = `<BlockList>${'<Latest>a</Latest>'.repeat(1001)}</BlockList>`;
    expect((await put(`${url}&comp=blocklist`, list)).status).toBe(400);
  });

  it('a crash with frames of every shape is made readable as far as it can be', async () => {
    const given = { symbol_type: 'AndroidProguard', version: '9', build: '9' };
    const { symbol_upload_id: id, upload_url: url } = await begin(given);
    await put(url, ['com.example.Shop -> a:', ...Array(50).fill('    1:1:void buy():7 -> b')].join('\n'));
    expect((await commit(id)).body.status).toBe('indexed');
    const frames = Array.from({ length: 500 }, () => ({ className: 'a', methodName: 'b', lineNumber: 1 }));
    const odd = [null, 7, [], { className: 7, methodName: {} }, { className: 'a', methodName: [], lineNumber: 'x' }];
    const crash = managedError({
      device: device({ appVersion: '9', appBuild: '9' }),
      exception: exception('a', 'm', [...odd, ...frames] as never),
    });
    expect((await post(bench, app, randomUUID(), [crash])).body.validDiagnosticsIds).toEqual([crash.id]);
    const { uri } = (await admin.call('GET', `${AT}/errors/errorGroups?start=2020-01-01`)).body.errorGroups
      .map(({ errorGroupId }: { errorGroupId: string }) => `${AT}/errors/errorGroups/${errorGroupId}`)
      .map((path: string) => ({ uri: `${path}/errors/${crash.id}/download` }))[0];
    const { exception: kept } = (await admin.call('GET', uri)).body;
    expect(kept.type).toBe('com.example.Shop');
    // Fifty frames each, up to ten thousand in total.
    expect(kept.frames.length).toBeLessThan(10_500);
    expect(kept.frames.at(-1)).toEqual({ className: 'a', methodName: 'b', lineNumber: 1 });
  });
});
