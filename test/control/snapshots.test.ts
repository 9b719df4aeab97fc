import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { SERVICES } from '../../src/services.ts';
import { NOTES } from '../kernel/snapshots/notes.ts';
import { readChanges } from '../support/changes.ts';
import { onBothStores, SUBSCRIPTION, withJar } from '../support/jars.ts';

const START = '2026-01-31T09:00:00.000Z';
const group = (name: string) => `/subscriptions/${SUBSCRIPTION}/resourcegroups/${name}?api-version=2022-12-01`;
const groups = `/subscriptions/${SUBSCRIPTION}/resourcegroups?api-version=2022-12-01`;
const location = { location: 'westeurope' };
/** Lines of a snapshot file as a jar writes them, with some members replaced. */
const work = (changed: object): string => {
  const row = { id: 'a', seq: 1, kind: 'k', due_at: 1, payload: '{}', attempts: 0, state: 0, reason: null };
  return JSON.stringify(['w', { ...row, ...changed }]);
};
const table = (name: string, type: string): string =>
  JSON.stringify(['d', 'store.tables', name, 'e', { name, columns: [{ name: 'c1', type, unique: false }] }]);
const change = ({ number = 1, source = 'a', at = 1 }): string =>
  JSON.stringify(['c', number, source, 'kind', 'subject', 'Succeeded', at, '{}']);

onBothStores(
  'snapshots',
  (bench) => {
    const control = (method: string, path: string, body?: unknown) =>
      bench.call(method, `/_jar${path}`, { token: bench.jar.adminKey, body });
    const names = async (): Promise<string[]> =>
      (await bench.call('GET', groups)).body.value.map((each: { name: string }) => each.name);

    const HOUR = 3_600_000;
    const note = (name: string, body: object) => bench.call('PUT', `/notes/${name}`, { body });
    const noteNames = async (): Promise<string[]> =>
      (await bench.call('GET', '/notes')).body.map((each: { name: string }) => each.name);

    test('a snapshot brings back what was there, at the time it was: what was due then happens at its own time, once', async () => {
      await bench.jar.reset();
      for (const name of ['one', 'two']) await bench.call('PUT', group(name), { body: location });
      await note('short', { text: 'gone in two hours', removeIn: 2 * HOUR });
      await note('long', { text: 'this one stays for ever' });
      const before = (await bench.call('GET', '/notes')).body;
      const tracked = await bench.call('GET', group('one'));

      const saved = await control('PUT', '/snapshots/before');
      expect(saved).toMatchObject({ status: 201, body: { name: 'before', takenAt: START, imported: false } });
      // The removal of the note and of old change records; the latter appears a moment later on PostgreSQL.
      expect(saved.body.counts).toMatchObject({ work: expect.toBeOneOf([1, 2]), collections: { 'notes.notes': 2 } });

      await control('POST', '/clock/advance', { by: '3d' });
      expect(await noteNames()).toEqual(['long']);
      await note('long', { text: 'changed' });
      await note('other', { text: 'comes to nothing', removeIn: HOUR });
      await bench.call('DELETE', group('two'));
      await bench.call('PATCH', group('one'), { body: { tags: { a: 'b' } } });
      await bench.jar.settled();

      const restored = await control('POST', '/snapshots/before/restore');
      expect(restored).toMatchObject({
        status: 200,
        body: { status: 'restored', name: 'before', now: START, clockMoved: true, warnings: [] },
      });
      expect((await bench.call('GET', '/notes')).body).toEqual(before);
      expect((await bench.call('GET', '/notes/long')).body).toEqual({ text: 'this one stays for ever' });
      expect((await bench.call('GET', '/notes/other')).body).toEqual({ text: null });
      expect(await names()).toEqual(['one', 'two']);
      const again = await bench.call('GET', group('one'));
      expect(again.body).toEqual(tracked.body);
      expect(again.headers.get('etag')).toBe(tracked.headers.get('etag'));
      const nextDue = new Date(Date.parse(START) + 2 * HOUR).toISOString();
      expect((await control('GET', '/clock')).body).toEqual({ now: START, mode: 'virtual', nextDue });

      await control('POST', '/clock/advance', { by: 2 * HOUR - 1 });
      expect(await noteNames()).toEqual(['short', 'long']);
      expect((await control('POST', '/clock/advance', { by: 1 })).body).toMatchObject({ now: nextDue, fired: 1 });
      await control('POST', '/clock/advance', { by: '1d' });
      expect(await noteNames()).toEqual(['long']);
      const changes = await readChanges(bench.jar, (seen) => seen.some((each) => each.kind === 'removed'));
      expect(changes.filter((each) => each.kind === 'removed').map(({ subject, at }) => [subject, at])).toEqual([
        ['short', Date.parse(nextDue)],
      ]);
      // The only remaining work is the future removal of old change records.
      const left = (await control('GET', '/work')).body.value.map(({ kind }: { kind: string }) => kind);
      expect(left).toEqual(['feed.prune']);
    });

    test('work that is overdue in a snapshot runs after the restore', async () => {
      await bench.jar.reset();
      await note('late', { text: 'should have gone by now' });
      await bench.jar.snapshot('overdue');
      const lines = gunzipSync(await download('overdue'))
        .toString()
        .trimEnd()
        .split('\n');
      const due_at = Date.parse(START) - HOUR;
      const work = { id: 'w', seq: 1, kind: 'notes.remove', due_at, payload: '{"name":"late"}', attempts: 0, state: 0 };
      const firstChange = lines.findIndex((line) => line.startsWith('["c"'));
      const content = lines.slice(1, -1).toSpliced(firstChange - 1, 0, `["w",${JSON.stringify(work)}]`);
      const header = JSON.parse(lines[0]!);
      header.counts.work += 1;
      const sha256 = createHash('sha256')
        .update(`${content.join('\n')}\n`)
        .digest('hex');
      const file = [JSON.stringify(header), ...content, JSON.stringify({ end: true, sha256 }), ''].join('\n');
      expect((await upload('overdue', gzipSync(file))).status).toBe(200);
      await bench.jar.restore('overdue');
      await bench.jar.settled();
      expect(await noteNames()).toEqual([]);
      const changes = await readChanges(bench.jar, (seen) => seen.some((each) => each.kind === 'removed'));
      expect(changes.map((each) => each.kind).slice(-2)).toEqual(['restore', 'removed']);
    });

    test('snapshots are listed, replaced and deleted, and survive a reset', async () => {
      expect((await control('PUT', '/snapshots/b.2')).status).toBe(201);
      expect((await control('PUT', '/snapshots/a_1')).status).toBe(201);
      expect((await control('PUT', '/snapshots/a_1')).status).toBe(200);
      await bench.jar.reset();
      const { body } = await control('GET', '/snapshots');
      expect(body.value.map((each: { name: string }) => each.name)).toEqual(expect.arrayContaining(['a_1', 'b.2']));
      expect((await control('GET', '/snapshots/a_1')).body).toEqual(body.value[0]);
      expect((await control('DELETE', '/snapshots/a_1')).status).toBe(204);
      expect(await control('GET', '/snapshots/a_1')).toMatchObject({
        status: 404,
        body: {
          error: {
            code: 'SnapshotNotFound',
            message: expect.stringMatching(/^There is no snapshot 'a_1'; there are b\.2/),
          },
        },
      });
      expect((await control('POST', '/snapshots/a_1/restore')).status).toBe(404);
      expect((await control('DELETE', '/snapshots/a_1')).status).toBe(404);
      expect((await control('GET', '/snapshots/a_1/content')).status).toBe(404);
    });

    test.each(['-a', '%20', 'a%2Fb', 'ä', 'x'.repeat(65), 'a%00'])('%s is no name for a snapshot', async (name) => {
      expect(await control('PUT', `/snapshots/${name}`)).toMatchObject({
        status: 400,
        body: { error: { code: 'BadSnapshotName', target: 'name' } },
      });
    });

    test('issued tokens and credentials stay valid after a restore, as after a reset', async () => {
      const token = await bench.jar.token({ ttl: '365d' });
      await bench.jar.snapshot('signed-in');
      await bench.jar.restore('signed-in');
      expect((await bench.call('GET', groups, { token })).status).toBe(200);
      expect(await bench.jar.token()).toBeTypeOf('string');
    });

    test('the feed continues through a restore: a follower gets the restore and then later events', async () => {
      await bench.jar.reset();
      await bench.call('PUT', group('seen'), { body: location });
      await bench.jar.snapshot('feed');
      await bench.call('PUT', group('undone'), { body: location });
      const before = await readChanges(bench.jar, (seen) => seen.some((each) => each.subject.endsWith('/undone')));
      const cursor = before.at(-1)?.cursor;
      const live = readChanges(bench.jar, (seen) => seen.some((each) => each.subject.endsWith('/after')), cursor);
      await bench.jar.restore('feed');
      await bench.call('PUT', group('after'), { body: location });
      const followed = await live;
      expect(followed[0]).toMatchObject({ kind: 'restore', subject: '/_jar/snapshots/feed', source: 'control' });
      expect(followed.at(-1)?.subject).toMatch(/\/after$/);
      expect(followed.some((each) => each.subject.endsWith('/seen'))).toBe(false);
      const all = await readChanges(bench.jar, (seen) => seen.some((each) => each.subject.endsWith('/after')));
      expect(all.some((each) => each.subject.endsWith('/seen'))).toBe(true);
      expect(all.some((each) => each.subject.endsWith('/undone'))).toBe(false);
    });

    test('requests that run during a restore are answered from the state before or from the one after it', async () => {
      await bench.jar.reset();
      for (let i = 0; i < 20; i++) await bench.call('PUT', group(`kept-${i}`), { body: location });
      await bench.jar.snapshot('busy');
      for (let i = 0; i < 20; i++) await bench.call('PUT', group(`extra-${i}`), { body: location });
      const lists = Array.from({ length: 30 }, () => bench.call('GET', `${groups}&$top=1000`));
      const writes = Array.from({ length: 20 }, (_, i) => bench.call('PUT', group(`written-${i}`), { body: location }));
      const restoring = control('POST', '/snapshots/busy/restore');
      const listed = await Promise.all(lists);
      const written = await Promise.all(writes);
      expect((await restoring).status).toBe(200);
      expect(written.map((each) => each.status)).toEqual(written.map(() => 201));
      for (const { status, body } of listed) {
        expect(status).toBe(200);
        const of = (start: string) => body.value.filter((each: { name: string }) => each.name.startsWith(start)).length;
        expect(of('kept-')).toBe(20);
        expect([0, 20]).toContain(of('extra-'));
      }
      const after = await names();
      expect(after.filter((name) => name.startsWith('extra-'))).toEqual([]);
    });

    test('a file that was exported comes in again under any name', async () => {
      await bench.jar.reset();
      await bench.call('PUT', group('filed'), { body: location });
      const saved = await control('PUT', '/snapshots/out');
      const file = await download('out');
      const lines = gunzipSync(file).toString().trimEnd().split('\n');
      expect(JSON.parse(lines[0]!)).toMatchObject({ cloudjar: 'snapshot', format: 1, counts: saved.body.counts });
      expect(JSON.parse(lines.at(-1)!)).toEqual({ end: true, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
      await bench.jar.reset();
      const imported = await upload('in', file);
      expect(imported).toMatchObject({ status: 201, body: { name: 'in', imported: true, warnings: [] } });
      expect(imported.body.counts).toEqual(saved.body.counts);
      expect((await upload('in', file)).status).toBe(200);
      expect((await control('POST', '/snapshots/in/restore')).status).toBe(200);
      expect((await bench.call('GET', group('filed'))).status).toBe(200);
      expect(Buffer.compare(await download('in'), file)).toBe(0);
    });

    const download = async (name: string): Promise<Buffer> => {
      const response = await fetch(`${bench.jar.url}/_jar/snapshots/${name}/content`, { headers: authorized() });
      expect(response.headers.get('content-type')).toBe('application/gzip');
      return Buffer.from(await response.arrayBuffer());
    };
    const upload = async (name: string, file: Uint8Array) => {
      const url = `${bench.jar.url}/_jar/snapshots/${name}/content`;
      const response = await fetch(url, { method: 'PUT', headers: authorized(), body: file });
      // biome-ignore lint/suspicious/noExplicitAny: an answer of any shape
      return { status: response.status, body: (await response.json()) as any };
    };
    const authorized = () => ({ authorization: `Bearer ${bench.jar.adminKey}` });
  },
  { clockStart: START, services: [...SERVICES, NOTES] },
);

describe('files that cannot be taken in', () => {
  withJar((bench) => {
    const headers = () => ({ authorization: `Bearer ${bench.jar.adminKey}` });
    const upload = async (file: Uint8Array | null, name = 'bad') => {
      const url = `${bench.jar.url}/_jar/snapshots/${name}/content`;
      const response = await fetch(url, { method: 'PUT', headers: headers(), body: file });
      return { status: response.status, body: (await response.json()) as { error: { code: string; message: string } } };
    };
    const exported = async (): Promise<string[]> => {
      await bench.jar.snapshot('good');
      const response = await fetch(`${bench.jar.url}/_jar/snapshots/good/content`, { headers: headers() });
      return gunzipSync(Buffer.from(await response.arrayBuffer()))
        .toString()
        .trimEnd()
        .split('\n');
    };
    const pack = (lines: readonly string[]): Buffer => gzipSync(`${lines.join('\n')}\n`);
    const refused = async (file: Uint8Array | null, code: string, message: RegExp): Promise<void> => {
      const { status, body } = await upload(file);
      expect(body.error).toMatchObject({ code, message: expect.stringMatching(message) });
      expect(status).toBe(['OtherSecretKey', 'SnapshotNeedsRelease'].includes(code) ? 409 : 400);
      const list = await bench.call('GET', '/_jar/snapshots', { token: bench.jar.adminKey });
      expect(list.body.value.map((each: { name: string }) => each.name)).not.toContain('bad');
    };

    test('are refused with the reason when they are something else', async () => {
      await refused(null, 'SnapshotFileMissing', /no body/);
      await refused(Buffer.from('plain text'), 'SnapshotFileMalformed', /not gzip/);
      await refused(gzipSync(''), 'SnapshotFileMalformed', /empty/);
      await refused(gzipSync('{"a":1}\n'), 'SnapshotFileMalformed', /header/);
      await refused(gzipSync('[]\n'), 'SnapshotFileMalformed', /header/);
      await refused(gzipSync('no json\n'), 'SnapshotFileMalformed', /header/);
    });

    test('are refused when they are cut off, changed or hold what they should not', async () => {
      const lines = await exported();
      const whole = pack(lines);
      await refused(whole.subarray(0, whole.length / 2), 'SnapshotFileIncomplete', /ends in the middle/);
      await refused(pack(lines.slice(0, -1)), 'SnapshotFileIncomplete', /last line is missing/);
      await refused(pack(lines.toSpliced(2, 1)), 'SnapshotFileIncomplete', /checksum/);
      await refused(gzipSync(lines.join('\n')), 'SnapshotFileIncomplete', /within a line/);
      const flipped = Buffer.from(whole);
      flipped[flipped.length - 6]! ^= 0xff;
      await refused(flipped, 'SnapshotFileIncomplete', /data check/);
      const header = JSON.parse(lines[0]!);
      const withHeader = (changed: object) => pack([JSON.stringify({ ...header, ...changed }), ...lines.slice(1)]);
      await refused(
        withHeader({ format: 5, version: '9.9.9' }),
        'SnapshotFormatNewer',
        /format 5, made by release 9\.9\.9/,
      );
      await refused(
        withHeader({ format: 2, version: '9.9.9', oldest: '9.8.0' }),
        'SnapshotNeedsRelease',
        /release 9\.8\.0 and later; this is release \d+\.\d+\.\d+\./,
      );
      await refused(withHeader({ format: 2, oldest: 'soon' }), 'SnapshotFileMalformed', /oldest/);
      await refused(withHeader({ keyCheck: '0'.repeat(64) }), 'OtherSecretKey', /CLOUDJAR_SECRET_KEY/);
      await refused(withHeader({ takenAt: 'yesterday' }), 'SnapshotFileMalformed', /takenAt/);
      await refused(withHeader({ takenAt: '2026-13-41T00:00:00.000Z' }), 'SnapshotFileMalformed', /takenAt/);
      await refused(withHeader({ counts: undefined }), 'SnapshotFileMalformed', /counts/);
      await refused(
        withHeader({ counts: { ...header.counts, work: 77 } }),
        'SnapshotFileIncomplete',
        /does not match its counts/,
      );
      await refused(pack([...lines, '{}']), 'SnapshotFileMalformed', /more after/);
    });

    test.each([
      ['["d","auth.keys","k","e",{}]', /line 2 is of the collection 'auth.keys', which is the jar's own/],
      ['["d","kernel.self","self","e",{}]', /the jar's own/],
      ['["d","Robert\'); DROP TABLE x","k","e",{}]', /as the name of a collection/],
      ['["d","a.b","k","e",{]', /not JSON/],
      ['["d","a.b","k","e",{}', /not JSON/],
      ['["d","a.b","k\\u0000","e",{}]', /key or etag/],
      ['["d","auth.users","k","e",null]', /does not fit the collection/],
      ['["d","a.b","k","e",{}]\n["d","a.b","k","e",{}]', /line 3 is out of order or a duplicate/],
      ['["d","a.b","k","e",{}]\n["d","a.c","k","e",{}]\n["d","a.b","l","e",{}]', /line 4 goes back to the documents/],
      ['["w",{"id":"a"}]', /neither a document, nor a row, nor due work/],
      ['["w",{"id":"a","kind":"k","due_at":1,"payload":"{","seq":1,"state":0}]', /neither/],
      ['["w",{"id":"a","kind":"k","due_at":1,"payload":"1","seq":1,"state":1}]', /neither/],
      [work({ attempts: 'lots' }), /line 2 has due work that is not valid/],
      [work({ attempts: 1.5 }), /due work that is not valid/],
      [work({ attempts: 2 ** 31 }), /due work that is not valid/],
      [work({ attempts: undefined }), /due work that is not valid/],
      [work({ reason: 5 }), /due work that is not valid/],
      [work({ kind: 'k\u0000' }), /due work that is not valid/],
      [work({ due_at: 1e300 }), /due work that is not valid/],
      [work({ seq: Number.MAX_SAFE_INTEGER }), /due work that is not valid/],
      [change({ source: 'a\u0000' }), /line 2 has a change record that is not valid/],
      [change({ at: -1e300 }), /change record that is not valid/],
      [change({ number: Number.MAX_SAFE_INTEGER }), /change record that is not valid/],
      ['["r","t",1,5]', /line 2 is of the table 't', which is not defined before it/],
      [
        `${table('t"', 'text')}\n["r","t",1,5]`,
        /line 2 has a document that does not fit the collection 'store.tables'/,
      ],
      [`${table('t', 'blob')}\n["r","t",1,5]`, /does not fit the collection 'store.tables'/],
      [`${table('t', 'text')}\n["r","t",1,5]`, /line 3 does not fit the table 't': a row has a value in c1/],
      [`${table('t', 'text')}\n["r","t",1,"a\\u0000"]`, /a row has a value in c1/],
      [`${table('t', 'int64')}\n["r","t",1,"12"]`, /a row has a value in c1/],
      [`${table('t', 'int64')}\n["r","t",1,"9223372036854775808"]`, /a row has a value in c1/],
      [`${table('t', 'int64')}\n["r","t",1,1,2]`, /a row has 2 values for 1 columns/],
      [`${table('t', 'int64')}\n["r","t",2,1]\n["r","t",1,1]`, /line 4 is out of order or a duplicate/],
      [`${table('t', 'int64')}\n["r","t",1,1]\n["r","t",1,1]`, /line 4 is out of order or a duplicate/],
      [`${table('t', 'int64')}\n["r","t",${Number.MAX_SAFE_INTEGER},1]`, /leaves no room for more rows/],
      [`${table('t', 'int64')}\n["r","t",0,1]`, /neither/],
      [`${table('t', 'int64')}\n["r","t",1,{}]`, /neither/],
      ['["c",1,"a","b","c","d",5]', /neither/],
      ['["c",-1,"a","b","c","d",5,"null"]', /neither/],
      ['', /neither/],
      ['["x"]', /neither/],
      ['17', /neither/],
    ])('are refused for a line such as %s', async (line, message) => {
      const [header = ''] = await exported();
      await refused(pack([header, line]), 'SnapshotFileMalformed', message);
    });

    test('cannot fill the memory, whatever they unpack to', async () => {
      const zeros = Buffer.alloc(64 * 1024 * 1024);
      const bomb = Buffer.concat([gzipSync(zeros), gzipSync(zeros), gzipSync(zeros)]);
      expect(bomb.length).toBeLessThan(1_000_000);
      await refused(bomb, 'SnapshotFileMalformed', /a line is longer than/);
      const [header = ''] = await exported();
      await refused(Buffer.concat([pack([header]), bomb]), 'SnapshotFileMalformed', /a line is longer than/);
    });

    test('are refused without the key, and the sent part is read to the end', async () => {
      const url = `${bench.jar.url}/_jar/snapshots/bad/content`;
      const response = await fetch(url, { method: 'PUT', body: Buffer.alloc(40_000_000) });
      expect(response.status).toBe(401);
      expect(await response.json()).toMatchObject({ error: { code: 'AdminKeyMissing' } });
    });

    test('are forgotten when their sender goes away on the way', async () => {
      const lines = await exported();
      const half = pack(lines).subarray(0, 500);
      const broken = request(`${bench.jar.url}/_jar/snapshots/bad/content`, {
        method: 'PUT',
        headers: { ...headers(), 'content-length': '100000' },
      });
      const gone = new Promise<void>((resolve) => broken.once('close', resolve));
      broken.on('error', () => {});
      broken.write(half, () => broken.destroy());
      await gone;
      expect((await upload(pack(lines), 'good')).status).toBe(200);
      const list = await bench.call('GET', '/_jar/snapshots', { token: bench.jar.adminKey });
      expect(list.body.value.map((each: { name: string }) => each.name)).toEqual(['good']);
    });

    test('leave nothing behind, and the jar keeps running', async () => {
      await bench.jar.snapshot('good');
      expect((await bench.call('GET', groups)).status).toBe(200);
    });
  });
});
