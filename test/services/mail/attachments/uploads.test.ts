import { type Client, FileUpload, LargeFileUploadTask } from '@microsoft/microsoft-graph-client';
import { beforeEach, expect, it } from 'vitest';
import type { Collection } from '../../../../src/kernel/store/index.ts';
import { blobPieces, uploadSessions } from '../../../../src/services/mail/collections.ts';
import { SERVICES } from '../../../../src/services.ts';
import { JarProbe } from '../../../support/jar-probe.ts';
import { type Bench, onAnyStore, onBothStores } from '../../../support/jars.ts';
import { graphClient } from '../graph-client.ts';

const MB = 1024 * 1024;
const SLICE = 320 * 1024;

/** Bytes that differ at every position. */
const content = (length: number): Buffer => {
  const bytes = Buffer.alloc(length);
  for (let at = 0; at + 4 <= length; at += 4) bytes.writeUInt32BE((at * 2_654_435_761) % 2 ** 32, at);
  return bytes;
};

const item = (size: number, more: object = {}) => ({
  AttachmentItem: { attachmentType: 'file', name: 'big.bin', size, ...more },
});

/** A request to an upload URL as clients send it: without a token. */
async function send(url: string, method: string, bytes?: Buffer, range?: string) {
  const response = await fetch(url, {
    method,
    ...(bytes && { body: new Uint8Array(bytes) }),
    headers: { 'content-type': 'application/octet-stream', ...(range !== undefined && { 'content-range': range }) },
  });
  const text = await response.text();
  return {
    status: response.status,
    location: response.headers.get('location') ?? '',
    body: text === '' ? undefined : JSON.parse(text),
  };
}

const rangeOf = (from: number, to: number, total: number): string => `bytes ${from}-${to - 1}/${total}`;

const put = (url: string, whole: Buffer, from: number, to: number) =>
  send(url, 'PUT', whole.subarray(from, to), rangeOf(from, to, whole.length));

async function draft(client: Client): Promise<string> {
  return `/me/messages/${(await client.api('/me/messages').post({ subject: 'Large' })).id}`;
}

const begin = async (client: Client, path: string, size: number, more: object = {}) =>
  client.api(`${path}/attachments/createUploadSession`).post(item(size, more));

async function stored(bench: Bench, path: string, id: string): Promise<Buffer> {
  const token = await bench.jar.token({ user: 'admin' });
  const response = await fetch(`${bench.jar.url}/v1.0${path}/attachments/${id}/$value`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return Buffer.from(await response.arrayBuffer());
}

const probe = new JarProbe();

/** Number of documents in a collection. */
const left = (collection: Collection<never>): Promise<number> => probe.jar.store.count(collection);

onBothStores(
  'upload sessions',
  (bench) => {
    let client: Client;
    let path: string;

    beforeEach(async () => {
      await bench.jar.reset();
      client = await graphClient(bench);
      path = await draft(client);
    });

    it('the upload task of the official client brings a file of some megabytes', async () => {
      const whole = content(3 * MB + 12_345);
      const session = await LargeFileUploadTask.createUploadSession(
        client,
        `${path}/attachments/createUploadSession`,
        item(whole.length, { contentType: 'application/x-thing', isInline: false }),
      );
      const task = new LargeFileUploadTask(client, new FileUpload(whole, 'big.bin', whole.length), session, {
        rangeSize: 4 * SLICE,
      });
      const result = await task.upload();
      const id = /\/Attachments\('([^']+)'\)$/.exec(result.location ?? '')?.[1] ?? '';
      const attachment = await client.api(`${path}/attachments/${id}`).select('name,size,contentType,isInline').get();
      expect(attachment).toMatchObject({
        name: 'big.bin',
        size: whole.length,
        contentType: 'application/x-thing',
        isInline: false,
      });
      expect((await stored(bench, path, id)).equals(whole)).toBe(true);
      expect((await client.api(path).get()).hasAttachments).toBe(true);
      expect(Buffer.from((await client.api(result.location ?? '').get()).contentBytes, 'base64').equals(whole)).toBe(
        true,
      );
    });

    it('ranges are sent in order, and a repeated range changes nothing', async () => {
      const whole = content(3 * MB + 5);
      const session = await begin(client, path, whole.length);
      expect(session).toMatchObject({ nextExpectedRanges: ['0-'] });
      expect(session['@odata.context']).toMatch(/#microsoft\.graph\.uploadSession$/);
      const { uploadUrl } = session;
      const first = await put(uploadUrl, whole, 0, 1_000_001);
      expect(first).toMatchObject({ status: 200, body: { nextExpectedRanges: ['1000001'] } });
      expect(first.body.ExpirationDateTime).toBe(session.expirationDateTime);
      expect(await put(uploadUrl, whole, 0, 1_000_001)).toMatchObject({
        status: 200,
        body: { nextExpectedRanges: ['1000001'] },
      });
      expect(await put(uploadUrl, whole, 500, 900_000)).toMatchObject({ status: 200 });
      for (const [from, to] of [
        [1_000_002, 1_000_100],
        [999_999, 1_000_100],
      ] as const)
        expect(await put(uploadUrl, whole, from, to)).toMatchObject({
          status: 416,
          body: { error: { code: 'ErrorInvalidRange' }, nextExpectedRanges: ['1000001'] },
        });
      const other = Buffer.alloc(100, 7);
      expect(await send(uploadUrl, 'PUT', other, rangeOf(0, 100, whole.length))).toMatchObject({ status: 416 });
      expect(await send(uploadUrl, 'GET')).toMatchObject({
        status: 200,
        body: { nextExpectedRanges: ['1000001'], expirationDateTime: session.expirationDateTime },
      });
      expect((await client.api(`${path}/attachments`).get()).value).toEqual([]);
      const last = await put(uploadUrl, whole, 1_000_001, whole.length);
      expect([last.status, last.body]).toEqual([201, undefined]);
      const again = await put(uploadUrl, whole, 1_000_001, whole.length);
      expect(again).toEqual(last);
      const [attachment] = (await client.api(`${path}/attachments`).select('id,size').get()).value;
      expect(attachment.size).toBe(whole.length);
      expect((await stored(bench, path, attachment.id)).equals(whole)).toBe(true);
    });

    it('a session that is deleted or has expired leaves nothing behind', async () => {
      const whole = content(3 * MB);
      const { uploadUrl } = await begin(client, path, whole.length);
      await put(uploadUrl, whole, 0, 1000);
      expect((await send(uploadUrl, 'DELETE')).status).toBe(204);
      expect(await put(uploadUrl, whole, 1000, 2000)).toMatchObject({ status: 404 });
      expect((await send(uploadUrl, 'DELETE')).status).toBe(404);
      const next = await begin(client, path, whole.length);
      await put(next.uploadUrl, whole, 0, 1000);
      await bench.jar.clock.advance('59m');
      expect((await send(next.uploadUrl, 'GET')).status).toBe(200);
      await put(next.uploadUrl, whole, 1000, 2000);
      await bench.jar.clock.advance('2m');
      expect((await send(next.uploadUrl, 'GET')).status).toBe(404);
      expect(await left(blobPieces)).toBe(0);
      expect(await left(uploadSessions)).toBe(0);
    });

    it('the file of a finished session stays when the session expires, and goes with its message', async () => {
      const whole = content(3 * MB);
      const { uploadUrl } = await begin(client, path, whole.length);
      const { location } = await put(uploadUrl, whole, 0, whole.length);
      await bench.jar.clock.advance('2h');
      expect((await client.api(location).select('size').get()).size).toBe(whole.length);
      await client.api(`${path}/permanentDelete`).post({});
      expect(await left(blobPieces)).toBe(0);
    });
  },
  { services: [...SERVICES, probe.service] },
);

onAnyStore('what upload sessions refuse', (bench) => {
  let client: Client;
  let path: string;

  beforeEach(async () => {
    await bench.jar.reset();
    client = await graphClient(bench);
    path = await draft(client);
  });

  async function control(at: string, body: unknown): Promise<void> {
    const reply = await bench.call('PATCH', at, { token: bench.jar.adminKey, body });
    expect(reply.status).toBe(200);
  }

  it.each([
    ['less than 3 MB', item(3 * MB - 1), 400, 'ErrorAttachmentSizeShouldNotBeLessThanMinimumSize'],
    ['more than a message may have', item(36 * MB), 413, 'ErrorMessageSizeExceeded'],
    ['more than 150 MB', item(150 * MB + 1), 413, 'ErrorMessageSizeExceeded'],
    ['no size', { AttachmentItem: { attachmentType: 'file', name: 'x' } }, 400, 'RequestBodyRead'],
    ['no name', { AttachmentItem: { attachmentType: 'file', size: 4 * MB } }, 400, 'RequestBodyRead'],
    ['an item', item(4 * MB, { attachmentType: 'item' }), 400, 'RequestBodyRead'],
    ['nothing', {}, 400, 'RequestBodyRead'],
    ['a size that is no number', { AttachmentItem: { name: 'x', size: '4000000' } }, 400, 'RequestBodyRead'],
  ])('a session for %s', async (_, body, statusCode, code) => {
    await expect(client.api(`${path}/attachments/createUploadSession`).post(body)).rejects.toMatchObject({
      statusCode,
      code,
    });
  });

  it("a session for another's mailbox", async () => {
    const other = await graphClient(bench, { user: 'licensed' });
    await expect(
      other.api(`/users/admin@vendor.example${path.slice(3)}/attachments/createUploadSession`).post(item(3 * MB)),
    ).rejects.toMatchObject({ statusCode: 403, code: 'ErrorAccessDenied' });
  });

  it('names of parameters match in any case', async () => {
    const session = await client
      .api(`${path}/attachments/createUploadSession`)
      .post({ attachmentItem: { AttachmentType: 'File', Name: 'x.pdf', Size: 3 * MB } });
    expect(session.uploadUrl).toMatch(/\/owa\/uploads\/[\w-]{16}\.[\w-]{22}$/);
  });

  it.each([
    ['none', undefined],
    ['another unit', 'items 0-99/3145728'],
    ['a star', 'bytes 0-99/*'],
    ['another total', 'bytes 0-99/3145729'],
    ['fewer bytes than the body', 'bytes 0-98/3145728'],
    ['more bytes than the body', 'bytes 0-100/3145728'],
    ['an end before its start', 'bytes 99-0/3145728'],
    ['an end behind the file', 'bytes 3145700-3145799/3145728'],
    ['blanks', 'bytes 0 - 99 / 3145728'],
  ])('a range of %s', async (_, range) => {
    const { uploadUrl } = await begin(client, path, 3 * MB);
    const refused = await send(uploadUrl, 'PUT', Buffer.alloc(100), range);
    expect(refused).toMatchObject({ status: 400, body: { error: { code: 'ErrorInvalidArgument' } } });
    expect((await send(uploadUrl, 'GET')).body.nextExpectedRanges).toEqual(['0-']);
  });

  it('a range of more than 4 MB', async () => {
    const whole = content(5 * MB);
    const { uploadUrl } = await begin(client, path, whole.length);
    const refused = await put(uploadUrl, whole, 0, 4 * MB + 1);
    expect(refused).toMatchObject({ status: 413, body: { error: { code: 'RequestEntityTooLarge' } } });
    expect(await put(uploadUrl, whole, 0, 4 * MB)).toMatchObject({ status: 200 });
  });

  it('an address that was made up', async () => {
    const { uploadUrl } = await begin(client, path, 3 * MB);
    const flipped = uploadUrl.replace(/.$/, (last: string) => (last === 'A' ? 'Q' : 'A'));
    for (const url of [flipped, uploadUrl.replace(/\.[\w-]+$/, ''), `${uploadUrl}x`])
      expect((await send(url, 'GET')).status).toBe(404);
  });

  it('the last range for a message that was deleted, or has no more room', async () => {
    const whole = content(3 * MB);
    const { uploadUrl } = await begin(client, path, whole.length);
    await client.api(`${path}/permanentDelete`).post({});
    expect(await put(uploadUrl, whole, 0, whole.length)).toMatchObject({
      status: 404,
      body: { error: { code: 'ErrorItemNotFound' } },
    });
    expect((await send(uploadUrl, 'GET')).body.nextExpectedRanges).toEqual(['0-']);
    await control('/_jar/mail/settings', { messageSizeLimit: 4 * MB });
    const other = await draft(client);
    const one = await begin(client, other, whole.length);
    const two = await begin(client, other, whole.length);
    expect((await put(one.uploadUrl, whole, 0, whole.length)).status).toBe(201);
    expect(await put(two.uploadUrl, whole, 0, whole.length)).toMatchObject({
      status: 413,
      body: { error: { code: 'ErrorMessageSizeExceeded' } },
    });
  });

  it('more bytes than an application may send to a mailbox in five minutes', async () => {
    const whole = content(3 * MB);
    await control('/_jar/limits', [{ name: 'mail.uploaded-bytes', limit: 2 * MB, mode: 'enforced' }]);
    const { uploadUrl } = await begin(client, path, whole.length);
    expect((await put(uploadUrl, whole, 0, MB)).status).toBe(200);
    const refused = await put(uploadUrl, whole, MB, 3 * MB);
    expect(refused.body.error.code).toBe('TooManyRequests');
    expect((await send(uploadUrl, 'GET')).body.nextExpectedRanges).toEqual([String(MB)]);
    await bench.jar.clock.advance('5m');
    expect((await put(uploadUrl, whole, MB, 2 * MB)).status).toBe(200);
    expect(refused.status).toBe(429);
  });
});
