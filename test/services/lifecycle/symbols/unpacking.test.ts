import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { PackedFile } from '../../../../src/services/lifecycle/symbols/packed-file.ts';
import { adminKey, type StartedJar, startCli } from '../../../cli/cli.ts';
import { MEGABYTE, peakMemoryOf } from '../../../support/process-memory.ts';
import { PROGRAM, program, universal, zipOf } from './mach-o.ts';

const SOAK = process.env.CLOUDJAR_SOAK === '1';
const UNPACKED_BYTES = (SOAK ? 250 : 100) * MEGABYTE;
/** Garbage that is not collected yet takes up to 110 MB; the two files that are unpacked at the same time would take 200 MB if they were whole in memory. */
const MOST_GROWTH = 150 * MEGABYTE;
const AT_ONCE = 8;

/** A binary with one part at its very end: finding its id requires unpacking the whole file. */
const farAway = (bytes: number): Buffer =>
  universal([[bytes, 56]], Buffer.concat([Buffer.alloc(bytes - 28), program()]));

type Texts = Readonly<Record<string, string>>;

async function clientOf(jar: StartedJar) {
  const authorization = `Bearer ${adminKey(jar.folder)}`;
  const shown = await fetch(`${jar.url}/_jar/keys`, { headers: { authorization } });
  const keys = (await shown.json()) as Texts;
  const headers = { 'x-api-token': keys.lifecycle ?? '', 'content-type': 'application/json' };
  return async (method: string, path: string, body?: object): Promise<Texts> => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const reply = await fetch(`${jar.url}/v0.1${path}`, { method, headers, ...sent });
    return (await reply.json()) as Texts;
  };
}

describe('what small files unpack to', () => {
  it('is in memory in pieces, however many archives of symbols come at once', async () => {
    const jar = await startCli();
    const call = await clientOf(jar);
    await call('POST', '/apps', { display_name: 'Shop', name: 'Shop', os: 'iOS', platform: 'Objective-C-Swift' });
    const begin = () => call('POST', '/apps/admin/Shop/symbol_uploads', { symbol_type: 'Apple' });
    const commit = (id: string) => call('PATCH', `/apps/admin/Shop/symbol_uploads/${id}`, { status: 'committed' });
    const bomb = new Uint8Array(zipOf(farAway(UNPACKED_BYTES)));
    const uploads = await Promise.all(Array.from({ length: AT_ONCE }, begin));
    await Promise.all(uploads.map(({ upload_url: url = '' }) => fetch(url, { method: 'PUT', body: bomb })));
    const before = peakMemoryOf(jar.pid);
    const ended = await Promise.all(uploads.map(({ symbol_upload_id: id = '' }) => commit(id)));
    expect(ended.map(({ status }) => status)).toEqual(Array.from({ length: AT_ONCE }, () => 'indexed'));
    expect(await call('GET', `/apps/admin/Shop/symbols/${PROGRAM}`)).toMatchObject({ symbol_id: PROGRAM });
    expect((peakMemoryOf(jar.pid) - before) / MEGABYTE).toBeLessThan(MOST_GROWTH / MEGABYTE);
  });

  it('is unpacked for a few logs of apps at a time', async () => {
    const jar = await startCli();
    const call = await clientOf(jar);
    const app = await call('POST', '/apps', {
      display_name: 'Logs',
      name: 'Logs',
      os: 'iOS',
      platform: 'Objective-C-Swift',
    });
    const bomb = new Uint8Array(gzipSync(`{"logs":"${' '.repeat(19 * MEGABYTE)}"}`));
    const headers = {
      'app-secret': app.app_secret ?? '',
      'install-id': '3f2b9a4e-1c5d-4e6f-8a7b-9c0d1e2f3a4b',
      'content-type': 'application/json',
      'content-encoding': 'gzip',
    };
    const send = () => fetch(`${jar.url}/logs`, { method: 'POST', headers, body: bomb });
    expect((await send()).status).toBe(400);
    const before = peakMemoryOf(jar.pid);
    const statuses = await Promise.all(Array.from({ length: SOAK ? 100 : 40 }, async () => (await send()).status));
    expect(statuses.filter((status) => status !== 400 && status !== 503)).toEqual([]);
    expect((peakMemoryOf(jar.pid) - before) / MEGABYTE).toBeLessThan(400);
  });
});

describe('a packed file', () => {
  const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 251));
  const packed = zipOf(bytes).subarray(30);

  it('gives the bytes of places that follow one another', async () => {
    const file = new PackedFile(packed, 1_000_000);
    for (const [offset, length] of [
      [0, 10],
      [5, 100_000],
      [5, 3],
      [200_000, 50],
      [299_990, 100],
      [400_000, 1],
    ] as const) {
      expect((await file.read(offset, length)).equals(bytes.subarray(offset, offset + length))).toBe(true);
    }
    expect((await file.read(0, 10)).length).toBe(0);
    file.close();
  });

  it('is unpacked no further than it is read, and no further than its limit', async () => {
    const far = zipOf(Buffer.alloc(50 * MEGABYTE)).subarray(30);
    const file = new PackedFile(far, 2 * MEGABYTE);
    await file.read(0, 10);
    expect(file.unpackedBytes).toBeLessThan(MEGABYTE);
    await expect(file.read(40 * MEGABYTE, 10)).rejects.toThrow('too large');
    file.close();
  });
});
