import { beforeEach, describe, expect, it } from 'vitest';
import { rangeOf } from '../../../../src/services/platform/blobs/range.ts';
import { sentRangeOf } from '../../../../src/services/platform/files/range.ts';
import { nodeKey, ROOT, treeNodes } from '../../../../src/services/platform/tree/collections.ts';
import { SERVICES } from '../../../../src/services.ts';
import { JarProbe } from '../../../support/jar-probe.ts';
import { type Bench, onAnyStore } from '../../../support/jars.ts';
import { type Ask, good, person, withoutRates } from '../support.ts';
import { type FilesClient, newVolume, VOLUMES, volumeClient } from './support.ts';

const UC = '/api/2.1/unity-catalog';
const V = '/Volumes/main/default/landing';
const probe = new JarProbe();

const tests = (bench: Bench): void => {
  let ask: Ask;
  let files: FilesClient;

  beforeEach(async () => {
    await bench.jar.reset();
    await withoutRates(bench);
    ask = await person(bench);
    files = await volumeClient(bench);
    await good(ask('POST', VOLUMES, newVolume('landing')));
  });

  it('paths are absolute, within a volume, and cannot leave it', async () => {
    await files.file('PUT', `${V}/a`, 'x');
    const cases: readonly (readonly [string, number])[] = [
      ['/Volumes/main/default/landing/none', 404],
      ['/Volumes/main/default/none/a', 404],
      ['/Volumes/main/none/landing/a', 404],
      ['/Volumes/none/default/landing/a', 404],
      ['/Volumes/main/default', 400],
      ['/Volumes', 400],
      ['/Workspace/Users/a', 400],
      ['/dbfs/a', 400],
      [`${V}/%2e%2e/landing/a`, 400],
      [`${V}/..%2flanding/a`, 400],
      [`${V}/.%2fa`, 400],
      [`${V}/../landing/a`, 400],
      [`${V}/a%00b`, 400],
      [`${V}/${'x'.repeat(501)}`, 400],
      ['/Volumes/main.default/landing/x/a', 404],
    ];
    for (const [path, status] of cases)
      for (const of of ['files', 'directories'])
        expect(await files.rawStatus('GET', `/api/2.0/fs/${of}${path}`), `${of} ${path}`).toBe(status);
    expect((await files.file('GET', `//Volumes//main/default/landing//a`)).text).toBe('x');
    expect((await files.file('GET', '/Volumes/MAIN/Default/LANDING/a')).text).toBe('x');
    // Names of files are case-sensitive.
    expect((await files.file('GET', `${V}/A`)).status).toBe(404);
  });

  it.each(['Grüße 🍯.txt', 'a b+c&d=e?.txt', '100%.csv', 'dt=2026-01-01', "it's", 'a#b', '日本語'])(
    'a file may be called %s',
    async (name) => {
      const path = `${V}/dir/${encodeURIComponent(name)}`;
      expect((await files.file('PUT', path, name)).status).toBe(204);
      expect((await files.file('GET', path)).text).toBe(name);
      const { contents } = (await files.directory('GET', `${V}/dir`)).json;
      expect(contents.map((each: { name: string }) => each.name)).toEqual([name]);
    },
  );

  it('reading needs READ_VOLUME, writing WRITE_VOLUME, and both the schema and the catalog', async () => {
    const other = await volumeClient(bench, 'licensed');
    const me = await good((await person(bench, 'licensed'))('GET', '/preview/scim/v2/Me'));
    await files.file('PUT', `${V}/a`, 'x');
    const statuses = async () => [
      (await other.file('GET', `${V}/a`)).status,
      (await other.directory('GET', V)).status,
      (await other.file('PUT', `${V}/b`, 'y')).status,
      (await other.file('DELETE', `${V}/none`)).status,
      (await other.directory('PUT', `${V}/d`)).status,
    ];
    expect(await statuses()).toEqual([403, 403, 403, 403, 403]);
    const give = (privilege: string) =>
      good(
        ask('PATCH', `${UC}/permissions/volume/main.default.landing`, {
          changes: [{ principal: me.userName, add: [privilege] }],
        }),
      );
    await give('READ_VOLUME');
    expect(await statuses()).toEqual([200, 200, 403, 403, 403]);
    await give('WRITE_VOLUME');
    expect(await statuses()).toEqual([200, 200, 204, 404, 204]);
    const { multipart_upload: upload } = await files.post(`files${V}/big?action=initiate-upload`);
    // Only the principal who started an upload may continue it.
    await expect(
      other.post('create-upload-part-urls', { path: `${V}/big`, session_token: upload.session_token }),
    ).rejects.toThrow(/^404/);
  });

  it('a file has at most 5 GiB', async () => {
    const refused = await bench.call('PUT', `/api/2.0/fs/files${V}/huge`, {
      token: await bench.jar.token({ user: 'admin' }),
      headers: { 'content-length': String(5 * 1024 ** 3 + 1), expect: '100-continue' },
    });
    expect([refused.status, refused.body.error_code]).toEqual([400, 'FILES_API_FILE_SIZE_EXCEEDED']);
  });

  it('a directory of many files comes in pages of at most 1,000', async () => {
    const { volume_id: id } = await good(ask('GET', `${VOLUMES}/main.default.landing`));
    const tree = `volume/${id}`;
    const name = (index: number): string => `f${String(index).padStart(6, '0')}`;
    const node = (index: number) =>
      ({
        tree,
        id: String(index),
        parent: ROOT,
        name: name(index),
        type: 'FILE',
        createdBy: 'x',
        createdAt: 0,
        modifiedAt: 0,
      }) as const;
    await probe.jar.store.transact((tx) =>
      tx.putAll(
        treeNodes,
        Array.from({ length: 2500 }, (_, index) => [nodeKey(tree, ROOT, name(index)), node(index)] as const),
      ),
    );
    const sizes: number[] = [];
    let token = '';
    let last = '';
    do {
      const page = (await files.directory('GET', `${V}?page_size=5000&page_token=${token}`)).json;
      sizes.push(page.contents.length);
      expect(page.contents[0].name > last).toBe(true);
      last = page.contents.at(-1).name;
      token = page.next_page_token ?? '';
    } while (token !== '');
    expect(sizes).toEqual([1000, 1000, 500]);
    expect((await files.directory('GET', `${V}?page_size=10`)).json.contents).toHaveLength(10);
    expect((await files.directory('GET', `${V}?page_token=made-up`)).status).toBe(400);
    expect((await files.directory('GET', `${V}?page_size=-1`)).status).toBe(400);
  });

  it('only directories are listed, and a volume cannot be deleted as a directory', async () => {
    await files.file('PUT', `${V}/a`, 'x');
    const statuses = await Promise.all([
      files.directory('GET', `${V}/a`),
      files.directory('HEAD', `${V}/a`),
      files.directory('DELETE', `${V}/a`),
      files.directory('GET', `${V}/none`),
      files.directory('DELETE', V),
      files.file('DELETE', `${V}/none`),
      files.file('PUT', V, 'x'),
      files.file('PUT', `${V}/a?overwrite=maybe`, 'x'),
      files.file('GET', V),
    ]);
    expect(statuses.map(({ status }) => status)).toEqual([404, 404, 404, 404, 400, 404, 409, 400, 404]);
    await files.directory('PUT', `${V}/d`);
    expect((await files.file('DELETE', `${V}/d`)).status).toBe(404);
    expect((await files.file('PUT', `${V}/d`, 'x')).status).toBe(409);
  });

  it('a multipart upload is completed with the received parts, in order', async () => {
    const { multipart_upload: upload } = await files.post(`files${V}/big?action=initiate-upload`);
    const session = { path: `${V}/big`, session_token: upload.session_token };
    const links = (more: object) => files.post('create-upload-part-urls', { ...session, ...more });
    await expect(links({ start_part_number: 0, count: 1 })).rejects.toThrow(/^400/);
    await expect(links({ start_part_number: 1, count: 1001 })).rejects.toThrow(/^400/);
    await expect(links({ start_part_number: 10_000, count: 2 })).rejects.toThrow(/^400/);
    await expect(links({ start_part_number: 1, count: 1, expire_time: '2000-01-01T00:00:00Z' })).rejects.toThrow(
      /^400/,
    );
    await expect(links({ start_part_number: 1, count: 1, path: `${V}/other` })).rejects.toThrow(/^400/);
    await expect(links({ start_part_number: 1, count: 1, session_token: 'x' })).rejects.toThrow(/^400/);
    const { upload_part_urls: urls } = await links({ start_part_number: 1, count: 2 });
    const first = await files.send('PUT', urls[0].url, 'first');
    await files.send('PUT', urls[1].url, 'wrong');
    const second = await files.send('PUT', urls[1].url, 'second');
    const complete = (parts: object[]) =>
      files.post(`files${V}/big?action=complete-upload&session_token=${upload.session_token}`, { parts });
    const [one, two] = [first, second].map((reply, index) => ({
      part_number: index + 1,
      etag: reply.headers.get('etag'),
    }));
    await expect(complete([two as object, one as object])).rejects.toThrow('in ascending order of their numbers');
    await expect(complete([{ part_number: 3, etag: 'x' }])).rejects.toThrow('The part 3 was not uploaded');
    await expect(complete([{ ...one, etag: 'x' }])).rejects.toThrow('The part 1 was not uploaded');
    await expect(files.post(`files${V}/big?action=something`)).rejects.toThrow(/^400/);
    await complete([one as object, two as object]);
    expect((await files.file('GET', `${V}/big`)).text).toBe('firstsecond');
    // A link to a part can neither read nor abort the upload.
    expect((await files.send('GET', urls[0].url)).status).toBe(403);
    expect((await files.send('DELETE', urls[0].url)).status).toBe(403);
  });

  it('of concurrent completions of one upload, one creates the file', async () => {
    const { multipart_upload: upload } = await files.post(`files${V}/big?action=initiate-upload`);
    const session = { path: `${V}/big`, session_token: upload.session_token };
    const { upload_part_urls: urls } = await files.post('create-upload-part-urls', { ...session, count: 1 });
    const etag = (await files.send('PUT', urls[0].url, 'bytes')).headers.get('etag');
    const path = `/api/2.0/fs/files${V}/big?action=complete-upload&session_token=${upload.session_token}`;
    const replies = await Promise.all(
      Array.from({ length: 6 }, () => files.send('POST', path, JSON.stringify({ parts: [{ part_number: 1, etag }] }))),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(replies.every(({ status }) => status === 200 || status === 404 || status === 400)).toBe(true);
  });
};

onAnyStore('data platform: rules of the Files API', tests, { services: [...SERVICES, probe.service] });

describe('ranges', () => {
  it.each([
    ['bytes=0-0', { from: 0, to: 0 }],
    ['bytes=5-', { from: 5, to: 9 }],
    ['bytes=-3', { from: 7, to: 9 }],
    ['bytes=-30', { from: 0, to: 9 }],
    ['bytes=2-100', { from: 2, to: 9 }],
    ['bytes=10-', 'beyond'],
    ['bytes=-0', 'beyond'],
    ['bytes=3-2', undefined],
    ['bytes=-', undefined],
    ['bytes=0-1,3-4', undefined],
    ['lines=0-1', undefined],
    [undefined, undefined],
  ])('of ten bytes, %s is %j', (header, range) => {
    expect(rangeOf(header, 10)).toEqual(range);
  });

  it.each([
    ['bytes 0-4/10', { from: 0, to: 4, total: 10 }],
    ['bytes 0-4/*', { from: 0, to: 4 }],
    ['bytes */10', { total: 10 }],
    ['bytes */*', {}],
    ['bytes 0-4', undefined],
    ['0-4/10', undefined],
  ])('%s says %j of an upload', (header, range) => {
    expect(sentRangeOf(header)).toEqual(range);
  });
});
