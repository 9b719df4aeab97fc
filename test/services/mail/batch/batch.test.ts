import { BatchRequestContent, BatchResponseContent, type Client } from '@microsoft/microsoft-graph-client';
import { beforeEach, describe, expect, it } from 'vitest';
import { onAnyStore, onBothStores } from '../../../support/jars.ts';
import { graphClient } from '../graph-client.ts';

interface Part {
  readonly id: string;
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body?: Record<string, unknown> | string;
}

const JSON_HEADER = { 'Content-Type': 'application/json' };

onBothStores('a batch', (bench) => {
  let client: Client;

  beforeEach(async () => {
    await bench.jar.reset();
    client = await graphClient(bench);
  });

  it('is made and read by the official client', async () => {
    // The client removes only the origin.
    const url = `${bench.jar.httpsUrl}/me/messages`;
    const post = (subject: string) =>
      new Request(url, { method: 'POST', headers: JSON_HEADER, body: JSON.stringify({ subject }) });
    const request = new BatchRequestContent([
      { id: '1', request: post('One') },
      { id: '2', request: post('Two'), dependsOn: ['1'] },
      { id: '3', request: new Request(`${url}?$select=subject&$orderby=subject`), dependsOn: ['2'] },
    ]);
    const reply = new BatchResponseContent(await client.api('/$batch').post(await request.getContent()));
    expect(reply.getResponseById('1').status).toBe(201);
    expect(await reply.getResponseById('2').json()).toMatchObject({ subject: 'Two', isDraft: true });
    expect(await reply.getResponseById('3').json()).toMatchObject({ value: [{ subject: 'One' }, { subject: 'Two' }] });
  });

  it('runs twenty requests, and a failure does not affect the others', async () => {
    const requests = Array.from({ length: 20 }, (_, index) =>
      index % 5 === 4
        ? { id: `${index}`, method: 'GET', url: '/me/messages/none' }
        : { id: `${index}`, method: 'POST', url: 'me/messages', headers: JSON_HEADER, body: { subject: `${index}` } },
    );
    const { status, body } = await bench.call('POST', '/beta/$batch', { body: { requests } });
    expect(status).toBe(200);
    const { responses } = body as { responses: Part[] };
    expect(responses.map(({ id }) => id)).toEqual(requests.map(({ id }) => id));
    expect(responses.map((each) => each.status)).toEqual(requests.map((_, index) => (index % 5 === 4 ? 400 : 201)));
    expect((await client.api('/me/messages').count(true).top(1).get())['@odata.count']).toBe(16);
  });
});

onAnyStore('the rules of a batch', (bench) => {
  beforeEach(() => bench.jar.reset());

  const batch = async (requests: readonly object[], version = 'v1.0'): Promise<readonly Part[]> => {
    const { status, body } = await bench.call('POST', `/${version}/$batch`, { body: { requests } });
    expect(status).toBe(200);
    return (body as { responses: Part[] }).responses;
  };
  const one = async (request: object): Promise<Part> => (await batch([{ id: '1', ...request }]))[0] as Part;

  it('addresses with many slashes and bodies with many blanks are read in time that grows with their length', async () => {
    const [slashes, blanks, encoded] = await batch([
      { id: '1', method: 'GET', url: `me${'/'.repeat(15_000)}a` },
      {
        id: '2',
        method: 'POST',
        url: 'me/messages',
        headers: { 'Content-Type': 'image/png' },
        body: `${' '.repeat(1_000_000)}!`,
      },
      {
        id: '3',
        method: 'POST',
        url: 'me/messages',
        headers: { 'Content-Type': 'image/png' },
        body: ` aGVsbG8${' '.repeat(1000)}=\r\n`,
      },
    ]);
    expect([slashes?.status, blanks?.status, encoded?.status]).toEqual([400, 400, 400]);
    expect(blanks?.body).toMatchObject({ error: { message: expect.stringContaining('must be a base64 string') } });
  });

  it('requests that depend on a failed request, directly or indirectly, are not run', async () => {
    const create = { method: 'POST', url: '/me/messages', headers: JSON_HEADER, body: { subject: 'x' } };
    const replies = await batch([
      { id: 'c', dependsOn: ['B'], ...create },
      { id: 'b', dependsOn: ['a'], ...create },
      { id: 'a', method: 'GET', url: '/me/messages/none' },
      { id: 'd', ...create },
    ]);
    expect(replies.map(({ status }) => status)).toEqual([424, 424, 400, 201]);
    expect(replies[1]?.body).toMatchObject({ error: { code: 'FailedDependency' } });
    expect(await one({ method: 'GET', url: 'me/messages?$count=true' })).toMatchObject({ body: { '@odata.count': 1 } });
  });

  it('independent requests run at most four at a time, so that none exceeds the concurrency limit', async () => {
    const replies = await batch(
      Array.from({ length: 20 }, (_, index) => ({ id: `${index}`, method: 'GET', url: '/me/mailFolders' })),
    );
    expect(replies.filter(({ status }) => status !== 200)).toEqual([]);
  });

  it('each request is throttled by itself, with the time after which to try again', async () => {
    const body = { name: 'mail.requests', limit: 2, mode: 'enforced' };
    expect((await bench.call('PATCH', '/_jar/limits', { body, token: bench.jar.adminKey })).status).toBe(200);
    const replies = await batch(
      ['1', '2', '3', '4'].map((id, index) => ({
        id,
        method: 'GET',
        url: '/me/mailFolders',
        ...(index > 0 && { dependsOn: ['1'] }),
      })),
    );
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 429, 429]);
    expect(replies[2]?.headers['Retry-After']).toMatch(/^[1-9]\d*$/);
    expect(replies[2]?.body).toMatchObject({ error: { code: 'TooManyRequests' } });
  });

  it('an answer that is no JSON is written in base64', async () => {
    const { status, headers, body } = await one({ method: 'GET', url: '/me/messages/$count' });
    expect(status).toBe(200);
    expect(headers['Content-Type']).toBe('text/plain');
    expect(Buffer.from(String(body), 'base64').toString()).toBe('0');
  });

  it('headers of a request are its own', async () => {
    await one({ method: 'POST', url: '/me/messages', headers: JSON_HEADER, body: { subject: 'x' } });
    const plain = await one({ method: 'GET', url: '/me/messages' });
    const immutable = await one({ method: 'GET', url: '/me/messages', headers: { prefer: 'IdType="ImmutableId"' } });
    const idOf = ({ body }: Part) => (body as { value: { id: string }[] }).value[0]?.id;
    expect(idOf(plain)).not.toBe(idOf(immutable));
    expect(immutable.headers['Preference-Applied']).toBe('IdType="ImmutableId"');
  });

  it('the caller is authenticated before the body is read, and is the same for all requests', async () => {
    const nobody = await bench.call('POST', '/v1.0/$batch', { body: 'no JSON', token: null });
    expect(nobody).toMatchObject({ status: 401, body: { error: { code: 'InvalidAuthenticationToken' } } });
    const token = await bench.jar.token({ user: 'licensed' });
    const requests = [{ id: '1', method: 'GET', url: '/users/admin@vendor.example/messages' }];
    const { body } = await bench.call('POST', '/v1.0/$batch', { token, body: { requests } });
    expect(body).toMatchObject({ responses: [{ status: 403 }] });
  });

  const GET = { method: 'GET', url: '/me/messages' };
  describe.each([
    ['is no JSON', '{', 'BadRequest'],
    ['is no object', [], 'BadRequest'],
    ['has no requests', {}, 'BadRequest'],
    ['has an empty list', { requests: [] }, 'BadRequest'],
    ['has a request that is no object', { requests: [1] }, 'BadRequest'],
    ['has a request without an id', { requests: [GET] }, 'BadRequest'],
    [
      'has ids that differ in case alone',
      {
        requests: [
          { id: 'a', ...GET },
          { id: 'A', ...GET },
        ],
      },
      'BadRequest',
    ],
    ['has a request without a method', { requests: [{ id: 'a', url: '/me' }] }, 'BadRequest'],
    ['has an unknown method', { requests: [{ id: 'a', method: 'TRACE', url: '/me' }] }, 'BadRequest'],
    ['has a request without an address', { requests: [{ id: 'a', method: 'GET' }] }, 'BadRequest'],
    ['has headers that are no texts', { requests: [{ id: 'a', ...GET, headers: { a: {} } }] }, 'BadRequest'],
    [
      'has headers that cannot become texts',
      { requests: [{ id: 'a', ...GET, headers: { a: { toString: 1 } } }] },
      'BadRequest',
    ],
    [
      'depends on what cannot become a text',
      { requests: [{ id: 'a', ...GET, dependsOn: [{ toString: 1 }] }] },
      'BadRequest',
    ],
    ['depends on what is not there', { requests: [{ id: 'a', ...GET, dependsOn: ['b'] }] }, 'BadRequest'],
    ['depends on itself', { requests: [{ id: 'a', ...GET, dependsOn: ['a'] }] }, 'BadRequest'],
    [
      'goes in a circle',
      {
        requests: [
          { id: 'a', ...GET, dependsOn: ['b'] },
          { id: 'b', ...GET, dependsOn: ['a'] },
        ],
      },
      'BadRequest',
    ],
    [
      'has 21 requests',
      { requests: Array.from({ length: 21 }, (_, index) => ({ id: `${index}`, ...GET })) },
      'MaximumValueExceeded',
    ],
  ])('a batch that %s', (_, body, code) => {
    it('is refused as a whole', async () => {
      expect(await bench.call('POST', '/v1.0/$batch', { body })).toMatchObject({
        status: 400,
        body: { error: { code } },
      });
    });
  });

  describe.each([
    ['has a body without a content type', { method: 'POST', url: '/me/messages', body: { subject: 'x' } }],
    ['has an absolute address', { method: 'GET', url: 'https://graph.vendor.example/v1.0/me/messages' }],
    ['is a batch itself', { method: 'POST', url: '/$batch', headers: JSON_HEADER, body: { requests: [] } }],
    ['goes nowhere', { method: 'GET', url: '/nothing' }],
    [
      'has a binary body that is not in base64',
      { method: 'PUT', url: '/me/photo', headers: { 'content-type': 'image/png' }, body: '%%' },
    ],
    ['has a path that cannot be decoded', { method: 'GET', url: '/me/messages/%' }],
  ])('a request that %s', (_, request) => {
    it('is answered by 400, and the batch by 200', async () => {
      expect(await one(request)).toMatchObject({ status: 400, body: { error: { code: expect.any(String) } } });
    });
  });
});
