import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Config, ConfigError, loadConfig } from '../../../../src/kernel/config/config.ts';
import { connectionsOf, spellingOf } from '../../../../src/services/events/destinations/connections.ts';
import { settingsOf } from '../../../../src/services/events/settings.ts';
import { startJar } from '../../../../src/testing/index.ts';
import { ACCOUNT, BUS, HUBS, RELAY, SITE } from './support.ts';

const STORAGE = 'UseDevelopmentStorage=true';
const KEYED = 'DefaultEndpointsProtocol=https;AccountName=a;AccountKey=c2VjcmV0LWtleQ==;EndpointSuffix=core.localhost';

const configOf = (connections: Readonly<Record<string, unknown>>): Config =>
  loadConfig({ flags: { memory: true }, env: {}, cwd: '/', services: { events: { connections } } });

const read = (connections: Readonly<Record<string, unknown>>) =>
  connectionsOf(settingsOf({ config: configOf(connections) }));

describe('connection of a resource', () => {
  it('an account’s connection serves its queues and containers, unless they have one of their own', () => {
    const connections = read({ [ACCOUNT]: STORAGE, [`${ACCOUNT}/queueServices/default/queues/own`]: KEYED });
    const find = (rest: string): string | undefined => connections.find(ACCOUNT + rest, 'storage')?.account.name;
    expect(find('/queueServices/default/queues/other')).toBe('devstoreaccount1');
    expect(find('/blobServices/default/containers/letters')).toBe('devstoreaccount1');
    expect(find('/queueServices/default/queues/own')).toBe('a');
  });

  it('a resource of another name, group or type has no connection', () => {
    const connections = read({ [ACCOUNT]: STORAGE });
    expect(connections.find(`${ACCOUNT}2/queueServices/default/queues/a`, 'storage')).toBeUndefined();
    expect(connections.find(ACCOUNT.replace('shop', 'shops'), 'storage')).toBeUndefined();
    expect(connections.find(ACCOUNT, 'broker')).toBeUndefined();
  });

  it('casing, a final slash and the prefix of the provider do not matter', () => {
    fc.assert(
      fc.property(
        fc.array(fc.boolean(), { minLength: ACCOUNT.length, maxLength: ACCOUNT.length }),
        fc.constantFrom('Vendor', 'Microsoft', 'Acme'),
        fc.boolean(),
        (upper, prefix, slash) => {
          const cased = [...ACCOUNT]
            .map((letter, i) => (upper[i] ? letter.toUpperCase() : letter.toLowerCase()))
            .join('');
          const spelt = cased.replace(/vendor\./i, `${prefix}.`) + (slash ? '/' : '');
          expect(spellingOf(spelt)).toBe(spellingOf(ACCOUNT));
          expect(read({ [spelt]: STORAGE }).find(ACCOUNT, 'storage')?.account.name).toBe('devstoreaccount1');
        },
      ),
    );
  });

  it.each([
    ['amqp://u:p%40ss@broker', { host: 'broker', port: 5672, tls: false, username: 'u', password: 'p@ss' }],
    ['amqps://broker:1234', { host: 'broker', port: 1234, tls: true, username: undefined }],
    ['amqp://u:p@[::1]:99', { host: '::1', port: 99 }],
    [
      'Endpoint=sb://bus.localhost/;SharedAccessKeyName=all;SharedAccessKey=a2V5PQ==',
      { host: 'bus.localhost', port: 5671, tls: true, username: 'all', password: 'a2V5PQ==', isServiceBus: true },
    ],
    [
      'Endpoint=sb://localhost;SharedAccessKeyName=all;SharedAccessKey=k;UseDevelopmentEmulator=true;EntityPath=q',
      { host: 'localhost', port: 5672, tls: false, address: 'q' },
    ],
  ])('%s is read', (text, expected) => {
    expect(read({ [BUS]: text }).find(`${BUS}/queues/q`, 'broker')).toMatchObject(expected);
  });
});

describe('a mistake in the connections keeps the jar from opening, and shows no secret', () => {
  it.each([
    ['not an id', { shopdata: STORAGE }, /is not the id of a resource/],
    ['a group', { [ACCOUNT.split('/providers/')[0] as string]: STORAGE }, /is not the id of a resource/],
    ['a type without a name', { [ACCOUNT.replace(/\/shopdata$/, '')]: STORAGE }, /is not the id of a resource/],
    ['another provider', { [ACCOUNT.replace('Storage/', 'Compute/')]: STORAGE }, /is not a resource that events/],
    ['a hybrid connection', { [`${RELAY}/hybridConnections/a`]: 'wss://x' }, /listeners connect to the jar/],
    ['the same twice', { [ACCOUNT]: STORAGE, [ACCOUNT.toUpperCase()]: STORAGE }, /given twice/],
    ['no connection string', { [ACCOUNT]: 'my-secret-text' }, /is neither a connection string/],
    [
      'no key',
      { [ACCOUNT]: 'AccountName=a;BlobEndpoint=http://my-secret-text' },
      /needs 'AccountKey' or 'SharedAccessSignature'/,
    ],
    [
      'no endpoint',
      { [ACCOUNT]: 'AccountName=a;AccountKey=my-secret-text' },
      /needs 'BlobEndpoint' or 'QueueEndpoint', or 'AccountName' and 'EndpointSuffix'/,
    ],
    ['storage for a bus', { [BUS]: KEYED }, /needs amqp:/],
    ['a broker for storage', { [ACCOUNT]: 'amqp://u:my-secret-text@host' }, /needs a storage connection string/],
    ['a broker for a function', { [`${SITE}/functions/f`]: 'amqp://u:my-secret-text@host' }, /needs an http/],
    ['a path', { [HUBS]: 'amqp://u:my-secret-text@host/vhost' }, /set 'address' instead/],
    ['bad encoding', { [HUBS]: 'amqp://u:my-secret-text%E0%A4%A@host' }, /percent-encoded/],
    [
      'no shared key',
      { [HUBS]: 'Endpoint=sb://host;SharedAccessKeyName=my-secret-text' },
      /needs 'SharedAccessKeyName'/,
    ],
    [
      'no bus',
      { [HUBS]: 'Endpoint=https://host;SharedAccessKeyName=a;SharedAccessKey=my-secret-text' },
      /Endpoint=sb:/,
    ],
    ['an address of storage', { [ACCOUNT]: { url: STORAGE, address: 'x' } }, /only brokers support/],
    ['another member', { [ACCOUNT]: { url: STORAGE, adress: 'x' } }, /connections/],
    ['nothing', { [ACCOUNT]: '' }, /connections/],
  ])('%s', async (_, connections, message) => {
    const opening = startJar({ settings: { events: { connections } } });
    await expect(opening).rejects.toThrow(ConfigError);
    await expect(opening).rejects.toThrow(message);
    await expect(opening).rejects.toThrow(/^services\.events: /);
    await expect(opening).rejects.not.toThrow(/my-secret-text/);
  });
});
