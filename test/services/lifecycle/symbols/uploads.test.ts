import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { withJar } from '../../../support/jars.ts';
import { commandLine } from '../clients/command-line.ts';
import { appleError, post } from '../sdk.ts';
import { administrator, makeApp, type Person, person } from '../support.ts';

const AT = '/apps/admin/Shop';
const PROGRAM = '3f2b9a4e-1c5d-4e6f-8a7b-9c0d1e2f3a4b';

/** A binary for one architecture that contains only its id. */
function machProgram(id: string): Buffer {
  const file = Buffer.alloc(32 + 24);
  file.writeUInt32LE(0xfeedfacf, 0);
  file.writeUInt32LE(1, 16);
  file.writeUInt32LE(0x1b, 32);
  file.writeUInt32LE(24, 36);
  Buffer.from(id.replaceAll('-', ''), 'hex').copy(file, 40);
  return file;
}

/** An archive with one uncompressed file. */
function zipOf(name: string, content: Buffer): Buffer {
  const local = Buffer.alloc(30);
  local.writeUInt32LE(0x04034b50, 0);
  local.writeUInt16LE(name.length, 26);
  const entry = Buffer.alloc(46);
  entry.writeUInt32LE(0x02014b50, 0);
  entry.writeUInt32LE(content.length, 20);
  entry.writeUInt32LE(content.length, 24);
  entry.writeUInt16LE(name.length, 28);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(local.length + name.length + content.length, 16);
  return Buffer.concat([local, Buffer.from(name), content, entry, Buffer.from(name), end]);
}

withJar((bench) => {
  let admin: Person;
  let app: { app_secret: string };

  beforeAll(async () => {
    admin = await administrator(bench);
    app = await makeApp(admin, 'Shop', { os: 'iOS', platform: 'Objective-C-Swift' });
  });

  const begin = async (given: object = {}) =>
    (await admin.call('POST', `${AT}/symbol_uploads`, { symbol_type: 'Apple', ...given })).body;
  const put = (url: string, body: string | Uint8Array<ArrayBuffer>) => fetch(url, { method: 'PUT', body });
  const commit = (id: string) => admin.call('PATCH', `${AT}/symbol_uploads/${id}`, { status: 'committed' });

  describe('an upload', () => {
    it.each([
      [{}, 'symbol_type'],
      [{ symbol_type: 'Paper' }, 'symbol_type'],
      [{ symbol_type: 'AndroidProguard', build: '1' }, 'version'],
      [{ symbol_type: 'AndroidProguard', version: '1' }, 'build'],
      [{ symbol_type: 'Apple', file_name: 'x'.repeat(300) }, 'file_name'],
    ])('is not begun with %j', async (body, field) => {
      const reply = await admin.call('POST', `${AT}/symbol_uploads`, body);
      expect(reply.status).toBe(400);
      expect(reply.body.message).toContain(field);
    });

    it('may come in blocks, in whatever order', async () => {
      const { symbol_upload_id: id, upload_url: url } = await begin();
      expect((await put(`${url}&comp=block&blockid=QQ==`, 'world')).status).toBe(201);
      expect((await put(`${url}&comp=block&blockid=Qg==`, 'hello ')).status).toBe(201);
      const list = (...ids: string[]) =>
        `<?xml version="1.0"?><BlockList>${ids.map((each) => `<Latest>${each}</Latest>`).join('')}</BlockList>`;
      expect((await put(`${url}&comp=blocklist`, list('Qg==', 'none'))).status).toBe(400);
      expect((await put(`${url}&comp=blocklist`, list('Qg==', 'QQ=='))).status).toBe(201);
      const { uri } = (await admin.call('GET', `${AT}/symbol_uploads/${id}/location`)).body;
      expect(await (await fetch(uri)).text()).toBe('hello world');
      expect((await put(uri, 'x')).status).toBe(403);
    });

    it('of an invalid mapping fails, and an aborted one stays aborted', async () => {
      const broken = await begin({ symbol_type: 'AndroidProguard', version: '1', build: '1' });
      await put(broken.upload_url, 'not a mapping');
      expect((await commit(broken.symbol_upload_id)).body.status).toBe('failed');
      await bench.jar.clock.advance('1s');
      const given = await begin();
      const path = `${AT}/symbol_uploads/${given.symbol_upload_id}`;
      expect((await admin.call('PATCH', path, { status: 'aborted' })).body.status).toBe('aborted');
      expect((await commit(given.symbol_upload_id)).status).toBe(400);
      const states = async (query: string) =>
        (await admin.call('GET', `${AT}/symbol_uploads?${query}`)).body.map((each: { status: string }) => each.status);
      expect(await states('status=processed&symbol_type=AndroidProguard')).toEqual(['failed']);
      expect(await states('status=uploaded')).not.toContain('aborted');
      expect(await states('top=1')).toEqual(['aborted']);
    });

    it('is made by developers and seen by readers, of this app only', async () => {
      const reader = await person(bench, 'admin', 'viewer');
      expect((await reader.call('POST', `${AT}/symbol_uploads`, { symbol_type: 'Apple' })).status).toBe(403);
      expect((await reader.call('GET', `${AT}/symbol_uploads`)).status).toBe(200);
      await makeApp(admin, 'Other');
      const { symbol_upload_id: id } = await begin();
      const reply = await admin.call('GET', `/apps/admin/Other/symbol_uploads/${id}`);
      expect(reply).toMatchObject({ status: 404, body: { message: expect.stringContaining(id) } });
    });

    it.each(['', 'abc', `${'A'.repeat(40)}`])('takes nothing at an address that was made up: %s', async (token) => {
      expect((await put(`${bench.jar.url}/lifecycle-files/${token}`, 'x')).status).toBeGreaterThanOrEqual(403);
    });
  });

  it('symbols that native crashes need are missing until they are uploaded or ignored', async () => {
    const missing = async () => (await admin.call('GET', `${AT}/diagnostics/symbol_groups?top=10`)).body;
    await post(bench, app, randomUUID(), [appleError(), appleError()]);
    const library = {
      id: 'EE',
      name: 'Kit',
      path: '/var/containers/Bundle/Application/Example.app/Kit',
      startAddress: '0x1',
      endAddress: '0x2',
    };
    await post(bench, app, randomUUID(), [appleError({ binaries: [library] })]);
    const before = await missing();
    expect(before).toMatchObject({
      total_crash_count: 3,
      groups: [
        { crash_count: 2, status: 'active', missing_symbols: [{ symbol_id: PROGRAM, status: 'missing' }] },
        { crash_count: 1 },
      ],
    });
    expect((await admin.call('GET', `${AT}/diagnostics/symbol_groups?top=10&filter=kit`)).body.groups).toHaveLength(1);
    const one = `${AT}/diagnostics/symbol_groups/${before.groups[0].symbol_group_id}`;

    const { symbol_upload_id: id, upload_url: url } = await begin({ file_name: 'Example.dSYM.zip' });
    await put(url, new Uint8Array(zipOf('Example', machProgram(PROGRAM))));
    expect((await commit(id)).body.symbols_uploaded).toEqual([{ symbol_id: PROGRAM, platform: 'ios' }]);
    expect((await admin.call('GET', one)).body.groups[0]).toMatchObject({
      status: 'closed',
      missing_symbols: [{ status: 'available' }],
    });
    expect((await admin.call('GET', `${AT}/diagnostics/symbol_groups_info`)).body).toEqual({ total_crash_count: 1 });

    expect((await admin.call('POST', `${AT}/symbols/ee/ignore`, {})).body).toMatchObject({
      symbol_id: 'ee',
      status: 'ignored',
    });
    expect((await admin.call('GET', `${AT}/symbols/ee/status`)).body.status).toBe('ignored');
    expect((await admin.call('GET', `${AT}/symbols/ee/location`)).status).toBe(404);
    expect((await admin.call('POST', `${AT}/symbols/nobody/ignore`, {})).status).toBe(404);
    expect(await missing()).toEqual({ total_crash_count: 0, groups: [] });
  });

  it('the public command-line client uploads mappings', async () => {
    await makeApp(admin, 'Droid');
    const folder = mkdtempSync(join(tmpdir(), 'cloudjar-mapping-'));
    try {
      const file = join(folder, 'mapping.txt');
      writeFileSync(file, 'com.shop.Cart -> a.b:\n');
      const args = ['-m', file, '-n', '1.0', '-c', '7', '-a', 'admin/Droid', '--token', admin.token];
      expect(await commandLine(bench).alone('crashes', 'upload-mappings', ...args)).toMatchObject({ code: 0 });
    } finally {
      rmSync(folder, { recursive: true });
    }
    const [upload] = (await admin.call('GET', '/apps/admin/Droid/symbol_uploads')).body;
    expect(upload).toMatchObject({ status: 'indexed', file_name: 'mapping.txt', version: '1.0', build: '7' });
  });
});
