import { describe, expect, it } from 'vitest';
import type { OutboundAnswer, OutboundRequest } from '../../../../src/kernel/outbound/client.ts';
import { OutboundError } from '../../../../src/kernel/outbound/errors.ts';
import { Calls } from '../../../../src/kernel/outbound/index.ts';
import { openStorage } from '../../../../src/services/datashare/storage/index.ts';
import { listed, namesOf, newFolder } from './support.ts';

/** Error responses of blob storage. Successful operations are tested with a real Azurite in `contract.test.ts`. */

const CONNECTION = 'BlobEndpoint=https://shop.blob.example;SharedAccessSignature=sv=1&sig=my-secret-text';

type Said = { readonly status: number; readonly code?: string; readonly body?: string } | OutboundError;

function blobsOf(...answers: readonly Said[]) {
  const sent: OutboundRequest[] = [];
  const left = [...answers];
  const send = async (request: OutboundRequest): Promise<OutboundAnswer> => {
    sent.push(request);
    const said = left.shift();
    if (said === undefined) throw new Error('nobody expected a further request');
    if (said instanceof OutboundError) throw said;
    const { status, code = '', body = '' } = said;
    const headers = { 'x-ms-error-code': code, etag: '"1"' };
    return { status, headers, body: Buffer.from(body), truncated: false };
  };
  const calls = new Calls();
  const storage = openStorage({ root: newFolder(), accounts: { shop: CONNECTION }, outbound: { send }, calls });
  return { files: storage.account('shop'), sent, calls };
}

const BUSY = { status: 503, code: 'ServerBusy' };
const RESET = new OutboundError('SocketError', 'read ECONNRESET');
const CREATED = { status: 201 };

describe('a request to blob storage', () => {
  it.each([
    ['the service is busy', BUSY],
    ['the service fails', { status: 500, code: 'InternalError' }],
    ['there were too many requests', { status: 429 }],
    ['the connection is reset', RESET],
    ['there is no answer in time', new OutboundError('TimedOut', 'no complete answer within 60000 ms')],
  ])('is sent again where %s', async (_, failure) => {
    const { files, sent } = blobsOf(failure, failure, CREATED);
    await files.put('box', 'a', Buffer.from('x'), 'draft');
    expect(sent).toHaveLength(3);
  });

  it('fails in a way that may pass after four tries', async () => {
    const { files, sent } = blobsOf(BUSY, RESET, BUSY, BUSY);
    await expect(files.put('box', 'a', Buffer.from('x'), 'draft')).rejects.toMatchObject({
      code: 'StorageFailed',
      isFinal: false,
      message: "The storage account 'shop' failed: the storage account answered ServerBusy (503).",
    });
    expect(sent).toHaveLength(4);
  });

  it.each([
    ['AccessDenied', { status: 403, code: 'AuthenticationFailed' }],
    ['StorageRefused', { status: 400, code: 'InvalidUri' }],
    ['StorageRefused', new OutboundError('BadAddress', 'it is not a valid address')],
  ])('is %s for good without another try, and without a secret', async (code, failure) => {
    const { files, sent } = blobsOf(failure);
    const problem: unknown = await files.put('box', 'a', Buffer.from('x'), 'draft').catch((error) => error);
    expect(problem).toMatchObject({ code, isFinal: true });
    expect(String(problem)).not.toContain('my-secret-text');
    expect(sent).toHaveLength(1);
  });

  it('is not sent again once the jar closes', async () => {
    const { files, sent, calls } = blobsOf(new OutboundError('Aborted', 'cancelled before it was answered'));
    calls.cancelCalls();
    await expect(files.stat('box', 'a')).rejects.toMatchObject({ code: 'StorageFailed', isFinal: false });
    expect(sent).toHaveLength(1);
  });

  it('creates the container once when a write misses it', async () => {
    const missing = { status: 404, code: 'ContainerNotFound' };
    const { files, sent } = blobsOf(missing, CREATED, CREATED);
    await files.put('box', 'a', Buffer.from('x'), 'draft');
    expect(sent.map(({ url }) => new URL(url).pathname)).toEqual(['/box/a', '/box', '/box/a']);
  });
});

it('a list of blobs leaves out what stands for a folder, and counts what no request can name', async () => {
  const blob = (name: string, size: number): string =>
    `<Blob><Name>${name}</Name><Properties><Etag>1</Etag><Content-Length>${size}</Content-Length></Properties></Blob>`;
  const blobs = [blob('a/', 0), blob('a/b', 1), blob('a/../c', 1), blob('a\\d', 1), blob('//e', 1)].join('');
  const body = `<EnumerationResults><Blobs>${blobs}</Blobs><NextMarker/></EnumerationResults>`;
  const { files } = blobsOf({ status: 200, body }, { status: 200, body });
  expect(namesOf(await listed(files, 'box'))).toEqual(['a/b', '//e']);
  for await (const page of files.list('box', '')) expect(page.skipped).toBe(2);
});

it('a blob has no more pieces than the service takes', async () => {
  const { files } = blobsOf({ status: 404 });
  const draft = await files.draft('box', 'a', 'draft');
  await expect(draft.write(50_000 * 4 * 1024 * 1024, Buffer.from('x'))).rejects.toMatchObject({
    code: 'FileTooLarge',
    isFinal: true,
  });
});
