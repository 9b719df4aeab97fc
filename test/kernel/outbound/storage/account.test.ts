import { describe, expect, it } from 'vitest';
import { BadConnectionString, connectionStringParts } from '../../../../src/kernel/outbound/connection-string.ts';
import { readStorageAccount } from '../../../../src/kernel/outbound/storage/account.ts';

const KEY = Buffer.from('my-secret-text').toString('base64');

describe('a connection string', () => {
  it('is read by names in any case, with values that have an equals sign', () => {
    const parts = connectionStringParts(' AccountName = shop ;ACCOUNTKEY=YQ==;; ');
    expect([...parts]).toEqual([
      ['accountname', 'shop'],
      ['accountkey', 'YQ=='],
    ]);
  });

  it.each(['', ' ; ', 'text', 'a=b;text', '=b'])('is not %j', (text) => {
    expect(() => connectionStringParts(text)).toThrow(BadConnectionString);
  });
});

describe('a storage account', () => {
  it('is the one of the emulators where the development storage is asked for', () => {
    expect(readStorageAccount('UseDevelopmentStorage=true')).toMatchObject({
      name: 'devstoreaccount1',
      endpoints: { blob: 'http://127.0.0.1:10000/devstoreaccount1', queue: 'http://127.0.0.1:10001/devstoreaccount1' },
    });
  });

  it('has the endpoints that are given, or those that follow from its name', () => {
    const keyed = `AccountName=shop;AccountKey=${KEY}`;
    expect(readStorageAccount(`${keyed};EndpointSuffix=storage.example`)).toEqual({
      name: 'shop',
      key: Buffer.from('my-secret-text'),
      endpoints: { blob: 'https://shop.blob.storage.example', queue: 'https://shop.queue.storage.example' },
    });
    expect(readStorageAccount(`${keyed};QueueEndpoint=http://host:1/shop/`).endpoints).toEqual({
      queue: 'http://host:1/shop',
    });
    const plain = `DefaultEndpointsProtocol=http;${keyed};EndpointSuffix=storage.example`;
    expect(readStorageAccount(plain, ['blob']).endpoints).toEqual({ blob: 'http://shop.blob.storage.example' });
  });

  it('is let in by a signature instead of a key', () => {
    const text = 'BlobEndpoint=https://shop.blob.example;SharedAccessSignature=?sv=1&sig=a%3D';
    expect(readStorageAccount(text)).toEqual({
      name: 'shop',
      endpoints: { blob: 'https://shop.blob.example' },
      signature: 'sv=1&sig=a%3D',
    });
  });

  it.each([
    ['no service that is needed', `QueueEndpoint=http://a;AccountName=a;AccountKey=${KEY}`, /needs 'BlobEndpoint'/],
    ['no key', 'BlobEndpoint=http://my-secret-text', /needs 'AccountKey' or/],
    ['a key without a name', `BlobEndpoint=http://a;AccountKey=${KEY}`, /beside 'AccountKey'/],
    ['a key that is not base64', 'BlobEndpoint=http://a;AccountName=a;AccountKey=my-secret-text', /not base64/],
    ['an endpoint with a password', `BlobEndpoint=http://u:p@a;AccountName=a;AccountKey=${KEY}`, /plain http/],
    ['a name that is a path', `AccountName=a/b;AccountKey=${KEY};EndpointSuffix=x`, /is not valid/],
    ['a suffix that is more', `AccountName=a;AccountKey=${KEY};EndpointSuffix=x/y`, /host suffix/],
  ])('is refused with %s, without showing a secret', (_, text, reason) => {
    const reading = (): unknown => readStorageAccount(text, ['blob']);
    expect(reading).toThrow(BadConnectionString);
    expect(reading).toThrow(reason);
    expect(reading).not.toThrow(/my-secret-text/);
  });
});
