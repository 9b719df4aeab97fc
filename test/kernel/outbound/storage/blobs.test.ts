import { expect, it } from 'vitest';
import { Calls } from '../../../../src/kernel/outbound/calls.ts';
import type { OutboundAnswer, OutboundRequest } from '../../../../src/kernel/outbound/client.ts';
import type { StorageAccount } from '../../../../src/kernel/outbound/storage/account.ts';
import { BlobClient } from '../../../../src/kernel/outbound/storage/blobs.ts';

/** Tests against a real Azurite show that storage services accept these requests: `test/services/datashare/storage`. */

const ACCOUNT: StorageAccount = {
  name: 'shop',
  endpoints: { blob: 'https://shop.blob.example' },
  signature: 'sv=1&sig=x',
};

interface Said {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  readonly truncated?: boolean;
}

function clientOf(said: Said) {
  const sent: OutboundRequest[] = [];
  const send = async (request: OutboundRequest): Promise<OutboundAnswer> => {
    sent.push(request);
    const { status, headers = {}, body = '', truncated = false } = said;
    return { status, headers, body: Buffer.from(body), truncated };
  };
  return { client: new BlobClient({ outbound: { send }, account: ACCOUNT, calls: new Calls() }), sent };
}

const LIST = `<?xml version="1.0" encoding="utf-8"?><EnumerationResults><Blobs>
  <Blob><Name>a &amp; b</Name><Properties><Etag>"0x1"</Etag><Content-Length>3</Content-Length></Properties></Blob>
  <Blob><Name Encoded="true">c%0Ad</Name><Properties><Etag>0x2</Etag><Content-Length>0</Content-Length></Properties></Blob>
  <Blob><Name>e</Name><Properties><Etag>0x3</Etag><ResourceType>directory</ResourceType></Properties></Blob>
  <Blob><Name>f</Name><Properties><Etag>0x4</Etag></Properties><Metadata><hdi_isfolder>true</hdi_isfolder></Metadata></Blob>
</Blobs><NextMarker>more of it</NextMarker></EnumerationResults>`;

it('a list has names, sizes and etags, and says which blobs stand for folders', async () => {
  const { client, sent } = clientOf({ status: 200, body: LIST });
  expect(await client.list('a', { prefix: 'x/ä', marker: 'a b', limit: 4 })).toEqual({
    blobs: [
      { name: 'a & b', size: 3, etag: '0x1', isFolder: false },
      { name: 'c\nd', size: 0, etag: '0x2', isFolder: false },
      { name: 'e', size: 0, etag: '0x3', isFolder: true },
      { name: 'f', size: 0, etag: '0x4', isFolder: true },
    ],
    next: 'more of it',
  });
  expect(String(sent[0]?.url)).toBe(
    'https://shop.blob.example/a?restype=container&comp=list&maxresults=4&include=metadata&prefix=x%2F%C3%A4&marker=a%20b&sv=1&sig=x',
  );
});

it.each([
  ['not XML', { status: 200, body: 'no' }],
  ['cut off', { status: 200, body: LIST, truncated: true }],
])('a list that is %s is no list', async (_, said) => {
  await expect(clientOf(said).client.list('a', { limit: 1 })).rejects.toMatchObject({ isFinal: false });
});

it('a range is asked for by the etag, and has to be whole', async () => {
  const blob = { name: 'n', size: 9, etag: '0x1' };
  const { client, sent } = clientOf({ status: 206, body: 'abc' });
  expect(String(await client.read('a', blob, 4, 3))).toBe('abc');
  expect(sent[0]?.headers).toMatchObject({ 'x-ms-range': 'bytes=4-6', 'if-match': '"0x1"' });
  await expect(client.read('a', blob, 4, 4)).rejects.toThrow('sent 3 bytes instead of 4');
  await expect(clientOf({ status: 200, body: 'abc' }).client.read('a', blob, 0, 3)).rejects.toThrow('status 200');
});

it('blocks are named and committed in order', async () => {
  const { client, sent } = clientOf({ status: 201, headers: { etag: '"0x9"' } });
  await client.putBlock('a', 'b/c', 'id-1', Buffer.from('x'));
  expect(await client.commitBlocks('a', 'b/c', ['id-1', 'id-2'])).toBe('0x9');
  expect(String(sent[0]?.url)).toContain('/a/b/c?comp=block&blockid=aWQtMQ%3D%3D&sv=1');
  expect(String(sent[1]?.body)).toContain('<BlockList><Latest>aWQtMQ==</Latest><Latest>aWQtMg==</Latest></BlockList>');
});

it('a missing blob has no properties and no blocks, and can be deleted', async () => {
  const { client } = clientOf({ status: 404, headers: { 'x-ms-error-code': 'BlobNotFound' } });
  expect(await client.head('a', 'b')).toBeUndefined();
  expect(await client.uncommittedBlocks('a', 'b')).toEqual([]);
  await client.delete('a', 'b');
  await expect(client.list('a', { limit: 1 })).rejects.toMatchObject({ answer: { status: 404 } });
});
