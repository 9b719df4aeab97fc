import { randomBytes } from 'node:crypto';
import { beforeEach, expect, it } from 'vitest';
import { blobPieces } from '../../../../src/services/platform/blobs/collections.ts';
import { SERVICES } from '../../../../src/services.ts';
import { JarProbe } from '../../../support/jar-probe.ts';
import { type Bench, onBothStores } from '../../../support/jars.ts';
import { all, workspaceClient } from '../sdk.ts';
import { type Ask, good, person, withoutRates } from '../support.ts';
import { type FilesClient, newVolume, VOLUMES, volumeClient } from './support.ts';

const V = '/Volumes/main/default/landing';
const MB = 1024 * 1024;

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

  it('files are written, read, listed and deleted, with the directories above them', async () => {
    expect((await files.file('PUT', `${V}/2026/01/a.txt`, 'hello')).status).toBe(204);
    const read = await files.file('GET', `${V}/2026/01/a.txt`);
    expect([read.status, read.text]).toEqual([200, 'hello']);
    expect(read.headers.get('content-length')).toBe('5');
    expect(read.headers.get('content-type')).toBe('application/octet-stream');
    const client = workspaceClient(bench, { token: await bench.jar.token({ user: 'admin' }) });
    expect(await client.files.getMetadata({ file_path: `${V}/2026/01/a.txt` })).toMatchObject({
      'content-length': '5',
      'last-modified': read.headers.get('last-modified'),
    });
    await client.files.createDirectory({ directory_path: `${V}/2026/02` });
    await client.files.createDirectory({ directory_path: `${V}/2026/02` });
    await client.files.getDirectoryMetadata({ directory_path: `${V}/2026/02` });
    expect(await all(client.files.listDirectoryContents({ directory_path: `${V}/2026` }))).toMatchObject([
      { name: '01', path: `${V}/2026/01`, is_directory: true },
      { name: '02', path: `${V}/2026/02`, is_directory: true },
    ]);
    expect(await all(client.files.listDirectoryContents({ directory_path: `${V}/2026/01` }))).toEqual([
      {
        name: 'a.txt',
        path: `${V}/2026/01/a.txt`,
        is_directory: false,
        file_size: 5,
        last_modified: expect.any(Number),
      },
    ]);
    expect((await files.directory('DELETE', `${V}/2026`)).json).toMatchObject({
      error_code: 'FILES_API_DIRECTORY_IS_NOT_EMPTY',
    });
    await client.files.delete({ file_path: `${V}/2026/01/a.txt` });
    expect((await files.file('HEAD', `${V}/2026/01/a.txt`)).status).toBe(404);
    await client.files.deleteDirectory({ directory_path: `${V}/2026/01` });
    expect((await files.directory('HEAD', `${V}/2026/01`)).status).toBe(404);
  });

  it('a file is overwritten unless the client forbids it', async () => {
    await files.file('PUT', `${V}/a`, 'one');
    const refused = await files.file('PUT', `${V}/a?overwrite=false`, 'two');
    expect([refused.status, refused.json.error_code]).toEqual([409, 'ALREADY_EXISTS']);
    expect((await files.file('PUT', `${V}/a?overwrite=true`, 'three')).status).toBe(204);
    expect((await files.file('PUT', `${V}/a`, 'four')).status).toBe(204);
    expect((await files.file('GET', `${V}/a`)).text).toBe('four');
    expect((await files.directory('PUT', `${V}/a`)).status).toBe(409);
    expect((await files.file('PUT', `${V}/a/b`, 'five')).status).toBe(409);
  });

  it('ranges and preconditions are those of HTTP', async () => {
    const bytes = randomBytes(3 * MB);
    await files.file('PUT', `${V}/large`, bytes);
    const range = (text: string) => files.file('GET', `${V}/large`, undefined, { range: text });
    const middle = await range('bytes=1000000-2500000');
    expect([middle.status, middle.headers.get('content-range')]).toEqual([206, `bytes 1000000-2500000/${3 * MB}`]);
    expect(middle.bytes.equals(bytes.subarray(1_000_000, 2_500_001))).toBe(true);
    expect((await range('bytes=-10')).bytes.equals(bytes.subarray(-10))).toBe(true);
    expect((await range(`bytes=${3 * MB - 5}-`)).bytes.equals(bytes.subarray(-5))).toBe(true);
    const beyond = await range(`bytes=${3 * MB}-`);
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, `bytes */${3 * MB}`]);
    expect((await range('bytes=5-2')).status).toBe(200);
    const whole = await files.file('GET', `${V}/large`);
    expect(whole.bytes.equals(bytes)).toBe(true);
    const modified = whole.headers.get('last-modified') ?? '';
    const since = (date: string) => files.file('GET', `${V}/large`, undefined, { 'if-unmodified-since': date });
    expect((await since(modified)).status).toBe(200);
    await bench.jar.clock.advance('1h');
    await files.file('PUT', `${V}/large`, 'other');
    expect((await since(modified)).status).toBe(412);
  });

  it('an upload in parts becomes a file when it is completed', async () => {
    const { multipart_upload: upload } = await files.post(`files${V}/big?action=initiate-upload&overwrite=false`);
    const session = { path: `${V}/big`, session_token: upload.session_token };
    const { upload_part_urls: urls } = await files.post('create-upload-part-urls', {
      ...session,
      start_part_number: 1,
      count: 3,
      expire_time: '2100-01-01T00:00:00Z',
    });
    const sent = [randomBytes(2 * MB + 7), randomBytes(MB + 1), randomBytes(100)];
    const parts = [];
    for (const [index, { url, part_number }] of urls.entries()) {
      const reply = await files.send('PUT', url, sent[index]);
      expect(reply.status).toBe(200);
      parts.push({ part_number, etag: reply.headers.get('etag') });
    }
    expect((await files.file('HEAD', `${V}/big`)).status).toBe(404);
    const complete = `files${V}/big?action=complete-upload&upload_type=multipart&session_token=${upload.session_token}`;
    await files.post(complete, { parts });
    expect((await files.file('GET', `${V}/big`)).bytes.equals(Buffer.concat(sent))).toBe(true);
    await expect(files.post(complete, { parts })).rejects.toThrow(/^404/);
    // A link expires by the jar's clock.
    const { url } = await files.post(`create-download-url?path=${encodeURIComponent(`${V}/big`)}`);
    const part = await files.send('GET', url, undefined, { range: 'bytes=0-99' });
    expect([part.status, part.bytes.equals(Buffer.concat(sent).subarray(0, 100))]).toEqual([206, true]);
    expect((await files.send('GET', `${url.slice(0, -2)}xx`)).status).toBe(403);
    await bench.jar.clock.advance('61m');
    expect((await files.send('GET', url)).status).toBe(403);
  });

  it('an upload that is aborted, or not completed within a day, leaves nothing', async () => {
    const begin = async (name: string) => {
      const { multipart_upload: upload } = await files.post(`files${V}/${name}?action=initiate-upload`);
      const session = { path: `${V}/${name}`, session_token: upload.session_token };
      const { upload_part_urls: urls } = await files.post('create-upload-part-urls', {
        ...session,
        start_part_number: 1,
        count: 1,
      });
      expect((await files.send('PUT', urls[0].url, randomBytes(2 * MB))).status).toBe(200);
      return { session, url: urls[0].url as string };
    };
    const aborted = await begin('aborted');
    const { abort_upload_url: abort } = await files.post('create-abort-upload-url', aborted.session);
    expect((await files.send('DELETE', abort.url)).status).toBe(204);
    expect((await files.send('PUT', aborted.url, 'more')).status).toBe(404);
    await expect(files.post('create-upload-part-urls', aborted.session)).rejects.toThrow(/^404/);
    const late = await begin('late');
    await bench.jar.clock.advance('25h');
    await bench.jar.settled();
    await expect(files.post('create-upload-part-urls', late.session)).rejects.toThrow(/^404/);
    expect((await files.directory('GET', V)).json.contents).toEqual([]);
  });

  it('a resumable upload goes on where it was interrupted', async () => {
    const { resumable_upload: upload } = await files.post(
      `files${V}/slow?action=initiate-upload&upload_type=resumable`,
    );
    const { resumable_upload_url: link } = await files.post('create-resumable-upload-url', {
      path: `${V}/slow`,
      session_token: upload.session_token,
    });
    const bytes = randomBytes(2 * MB);
    const put = (from: number, to: number, total: number | '*') =>
      files.send('PUT', link.url, bytes.subarray(from, to), { 'content-range': `bytes ${from}-${to - 1}/${total}` });
    const first = await put(0, MB, '*');
    expect([first.status, first.headers.get('range')]).toEqual([308, `bytes=0-${MB - 1}`]);
    const gap = await put(MB + 10, 2 * MB, 2 * MB);
    expect([gap.status, gap.headers.get('range')]).toEqual([308, `bytes=0-${MB - 1}`]);
    const asked = await files.send('PUT', link.url, undefined, { 'content-range': 'bytes */*' });
    expect([asked.status, asked.headers.get('range')]).toEqual([308, `bytes=0-${MB - 1}`]);
    // Received bytes may be sent again.
    expect((await put(MB - 100, 2 * MB, 2 * MB)).status).toBe(200);
    expect((await files.file('GET', `${V}/slow`)).bytes.equals(bytes)).toBe(true);
    expect((await put(0, MB, '*')).status).toBe(404);
  });

  it('the files of a deleted volume are dropped after seven days, and another volume with its name starts empty', async () => {
    await files.file('PUT', `${V}/a/b`, randomBytes(2 * MB));
    await good(ask('DELETE', `${VOLUMES}/main.default.landing`));
    expect((await files.file('GET', `${V}/a/b`)).status).toBe(404);
    await good(ask('POST', VOLUMES, newVolume('landing')));
    expect((await files.directory('GET', V)).json).toEqual({ contents: [] });
    const pieces = () => probe.jar.store.count(blobPieces);
    await bench.jar.clock.advance('6d');
    await bench.jar.settled();
    expect(await pieces()).toBeGreaterThan(0);
    await bench.jar.clock.advance('25h');
    await bench.jar.settled();
    expect(await pieces()).toBe(0);
  });

  it('the files of an external volume belong to its address', async () => {
    const external = newVolume('lake', { volume_type: 'EXTERNAL', storage_location: 'abfss://lake@vendor.example/x' });
    await good(ask('POST', VOLUMES, external));
    await files.file('PUT', '/Volumes/main/default/lake/a', 'kept');
    await good(ask('DELETE', `${VOLUMES}/main.default.lake`));
    await bench.jar.clock.advance('8d');
    await good(ask('POST', VOLUMES, { ...external, name: 'again' }));
    expect((await files.file('GET', '/Volumes/main/default/again/a')).text).toBe('kept');
  });

  it('concurrent writes of one file never mix, and without overwrite one of 16 succeeds', async () => {
    const contents = Array.from({ length: 16 }, (_, index) => Buffer.alloc(300_000, index));
    const overwriting = await Promise.all(contents.map((each) => files.file('PUT', `${V}/same`, each)));
    expect(overwriting.every(({ status }) => status === 204)).toBe(true);
    const { bytes } = await files.file('GET', `${V}/same`);
    expect(contents.some((each) => each.equals(bytes))).toBe(true);
    const once = await Promise.all(contents.map((each) => files.file('PUT', `${V}/new/one?overwrite=false`, each)));
    expect(once.map(({ status }) => status).sort()).toEqual([204, ...Array(15).fill(409)]);
    expect((await files.directory('GET', `${V}/new`)).json.contents).toHaveLength(1);
  });
};

onBothStores('data platform: the files of volumes', tests, { services: [...SERVICES, probe.service] });
