import { expect, it } from 'vitest';
import { Calls } from '../../../../src/kernel/outbound/calls.ts';
import type { OutboundAnswer, OutboundRequest } from '../../../../src/kernel/outbound/client.ts';
import { OutboundError } from '../../../../src/kernel/outbound/errors.ts';
import type { StorageAccount } from '../../../../src/kernel/outbound/storage/account.ts';
import { StorageClient } from '../../../../src/kernel/outbound/storage/client.ts';
import { StorageFailure } from '../../../../src/kernel/outbound/storage/request.ts';

/**
 * Tests against a real Azurite show that storage services accept these requests: `test/services/events/destinations/storage.test.ts`,
 * `test/services/lifecycle/exports`.
 */

const ACCOUNT: StorageAccount = {
  name: 'shop',
  endpoints: { blob: 'https://shop.blob.example', queue: 'https://shop.queue.example' },
  signature: 'sv=1&sig=x',
};
const BLOB = { container: 'a', name: 'of 2026/50%.json', body: '{}', contentType: 'application/json' };

interface Said {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

function clientOf(answers: readonly (Said | Error)[], account = ACCOUNT) {
  const sent: OutboundRequest[] = [];
  const left = [...answers];
  const send = async (request: OutboundRequest): Promise<OutboundAnswer> => {
    sent.push(request);
    const said = left.shift() ?? { status: 201 };
    if (said instanceof Error) throw said;
    return { status: said.status, headers: said.headers ?? {}, body: Buffer.from(said.body ?? ''), truncated: false };
  };
  const client = new StorageClient({ outbound: { send }, account, calls: new Calls(), trusted: true });
  return { client, sent };
}

const failureOf = (promise: Promise<unknown>): Promise<StorageFailure> =>
  promise.then(
    () => Promise.reject(new Error('it succeeded')),
    (error) => error,
  );

it('names go into addresses escaped, before the signature', async () => {
  const { client, sent } = clientOf([]);
  await client.overwrite(BLOB);
  await client.putMessage({ queue: 'b', text: '<&>', secondsToLive: -1 });
  expect(sent.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'PUT https://shop.blob.example/a/of%202026/50%25.json?sv=1&sig=x',
    'POST https://shop.queue.example/b/messages?messagettl=-1&sv=1&sig=x',
  ]);
  expect(String(sent[1]?.body)).toContain('<MessageText>&lt;&amp;&gt;</MessageText>');
  expect(sent.every(({ trusted }) => trusted)).toBe(true);
  expect(sent.some(({ headers }) => 'authorization' in (headers ?? {}))).toBe(false);
});

it('an existing blob with the same mark is the same blob', async () => {
  const there = { status: 409, headers: { 'x-ms-error-code': 'BlobAlreadyExists' } };
  for (const mark of ['one', 'two']) {
    const { client } = clientOf([there, { status: 200, headers: { 'x-ms-meta-batch': 'one' } }]);
    expect(await client.writeNew({ ...BLOB, mark })).toBe(mark === 'one');
  }
});

it('an existing container is accepted', async () => {
  const { client } = clientOf([{ status: 409, headers: { 'x-ms-error-code': 'ContainerAlreadyExists' } }]);
  await client.ensureContainer('a');
});

it.each([
  [404, false],
  [403, true],
  [400, true],
  [429, false],
  [500, false],
])('a status of %i is a failure; final: %s', async (status, isFinal) => {
  const body = '<?xml version="1.0"?><Error><Code>No</Code><Message>Not &lt;here&gt;.\nRequestId:1</Message></Error>';
  const { client } = clientOf([{ status, headers: { 'x-ms-error-code': 'No' }, body }]);
  const failure = await failureOf(client.overwrite(BLOB));
  expect(failure).toBeInstanceOf(StorageFailure);
  expect(failure).toMatchObject({ isFinal, message: `the storage account answered No (${status})` });
  expect(failure.answer).toEqual({ status, code: 'No', said: 'Not <here>.' });
});

it.each([
  [new OutboundError('SocketError', 'refused'), false],
  [new OutboundError('Blocked', 'a private address'), true],
])('%s is a failure without an answer', async (error, isFinal) => {
  const failure = await failureOf(clientOf([error]).client.overwrite(BLOB));
  expect(failure).toMatchObject({ isFinal, cause: error });
  expect(failure.answer).toBeUndefined();
});

it('an account without a queue service takes no messages', async () => {
  const { client, sent } = clientOf([], { ...ACCOUNT, endpoints: { blob: 'https://a' } });
  const failure = await failureOf(client.putMessage({ queue: 'b', text: '', secondsToLive: 1 }));
  expect(failure).toMatchObject({ isFinal: true, message: expect.stringContaining('no endpoint for its queues') });
  expect(sent).toEqual([]);
});
