import { expect, it } from 'vitest';
import { onAnyStore } from '../benches.ts';
import { setLimits } from '../throttle/gated.ts';
import { Batches } from './batches.ts';

onAnyStore('a batch of requests', (bench) => {
  const books = new Batches(bench);

  it('is answered in the requested form, whatever form it came in', async () => {
    const requests = [
      { id: '1', method: 'GET', url: `${await books.set('customers')}?$top=1&$select=number` },
      { method: 'GET', url: '$metadata' },
    ];
    const json = await books.send(requests);
    expect(json.status).toBe(200);
    expect(json.headers.get('content-type')).toBe('application/json; odata.metadata=minimal');
    expect(json.headers.get('odata-version')).toBe('4.0');
    expect(json.body.responses).toMatchObject([
      {
        id: '1',
        status: 200,
        headers: { 'content-type': 'application/json; odata.metadata=minimal', 'odata-version': '4.0' },
        body: { value: [{ number: expect.any(String) }] },
      },
      {
        id: null,
        status: 200,
        headers: { 'content-type': expect.stringContaining('xml') },
        body: expect.stringContaining('<edmx:Edmx'),
      },
    ]);
    for (const accept of ['*/*', 'multipart/mixed', 'application/json;q=0']) {
      const mixed = await books.send(requests, { accept });
      expect(mixed.headers.get('content-type')).toMatch(/^multipart\/mixed; boundary=batchresponse_[0-9a-f-]{36}$/);
      expect(mixed.text).toMatch(
        /^--batchresponse_\S+\r\nContent-Type: application\/http\r\nContent-Transfer-Encoding: binary\r\nContent-ID: 1\r\n\r\nHTTP\/1\.1 200 OK\r\n/,
      );
      expect(mixed.text).toContain('\r\nOData-Version: 4.0\r\n');
    }
  });

  it('stops at the first request that fails, and keeps what was done before', async () => {
    const items = await books.set('items');
    const [first, last] = [books.name(), books.name()];
    const { body } = await books.send([
      { id: 'a', method: 'POST', url: items, body: { displayName: first } },
      { id: 'b', method: 'POST', url: items, body: { nonsense: 1 } },
      { id: 'c', method: 'POST', url: items, body: { displayName: last } },
    ]);
    expect(body.responses).toMatchObject([
      { id: 'a', status: 201, headers: { location: expect.stringContaining('/items(') } },
      {
        id: 'b',
        status: 400,
        body: { error: { code: 'BadRequest', message: expect.stringMatching(/CorrelationId: {2}\S+\.$/) } },
      },
    ]);
    expect(await books.count(first)).toBe(1);
    expect(await books.count(last)).toBe(0);
  });

  it.each(['odata.continue-on-error', 'continue-on-error', 'return-no-content, odata.continue-on-error=true'])(
    'goes on behind a failure with Prefer: %s',
    async (prefer) => {
      const items = await books.set('items');
      const name = books.name();
      const make = { method: 'POST', url: items, body: { displayName: name } };
      const fail = { method: 'POST', url: items, body: { nonsense: 1 } };
      const reply = await books.send([make, fail, fail, make, make, { method: 'GET', url: 'nowhere' }, fail, make], {
        prefer,
      });
      expect(reply.headers.get('preference-applied')).toBe('odata.continue-on-error');
      expect(books.statuses(reply)).toEqual([201, 400, 400, 201, 201, 404, 400, 201]);
      expect(await books.count(name)).toBe(4);
    },
  );

  it('gives every request the answer that it would get alone', async () => {
    const items = await books.set('items');
    const name = books.name();
    const made = (await books.send([{ method: 'POST', url: items, body: { displayName: name } }])).body.responses[0]
      .body;
    const one = `${items}(${made.id})`;
    const reply = await books.send(
      [
        { method: 'PATCH', url: one, headers: { 'If-Match': made['@odata.etag'] }, body: { unitPrice: 5 } },
        { method: 'PATCH', url: one, headers: { 'If-Match': made['@odata.etag'] }, body: { unitPrice: 6 } },
        { method: 'PATCH', url: one, body: { unitPrice: 7 } },
        { method: 'GET', url: `${one}?$select=unitPrice` },
        { method: 'POST', url: items, headers: { Prefer: 'return-no-content' }, body: { displayName: name } },
        { method: 'DELETE', url: one },
        { method: 'GET', url: one },
      ],
      { prefer: 'odata.continue-on-error' },
    );
    expect(books.statuses(reply)).toEqual([200, 409, 400, 200, 204, 204, 404]);
    const [, stale, missing, read, silent, deleted] = reply.body.responses;
    expect(stale.body.error.code).toBe('Request_EntityChanged');
    expect(missing.body.error.code).toBe('BadRequest_InvalidToken');
    expect(read.body.unitPrice).toBe(5);
    expect(silent).not.toHaveProperty('body');
    expect(deleted).toEqual({ id: null, status: 204, headers: { 'odata-version': '4.0' } });
  });

  it('can refer to what it has created before', async () => {
    const customers = await books.set('customers');
    const reply = await books.send([
      { id: 'new', method: 'POST', url: customers, body: { displayName: books.name() } },
      { method: 'PATCH', url: '$new', headers: { 'If-Match': '$new' }, body: { city: 'Ulm' } },
      { method: 'GET', url: '/$new?$select=city' },
      { method: 'GET', url: '$other' },
    ]);
    expect(books.statuses(reply)).toEqual([201, 200, 200, 400]);
    expect(reply.body.responses[2].body.city).toBe('Ulm');
  });

  it('finds a company by a header, of the request or of the batch', async () => {
    const company = await books.company();
    const get = { method: 'GET', url: 'items?$top=1' };
    expect(books.statuses(await books.send([get]))).toEqual([404]);
    expect(books.statuses(await books.send([{ ...get, headers: { Company: company } }]))).toEqual([200]);
    expect(books.statuses(await books.send([get, get], { company }))).toEqual([200, 200]);
    const named = await bench.call('POST', `/api/v2.0/$batch?company=${company}`, {
      headers: { accept: 'application/json' },
      body: { requests: [get] },
    });
    expect(books.statuses(named)).toEqual([200]);
  });

  it('does not perform requests that depend on a failed one', async () => {
    const items = await books.set('items');
    const name = books.name();
    const make = { method: 'POST', url: items, body: { displayName: name } };
    const reply = await books.send(
      [
        { ...make, id: '1', body: { nonsense: 1 } },
        { ...make, id: '2', dependsOn: ['1'] },
        { ...make, id: '3', dependsOn: ['2'] },
        { method: 'GET', url: '$1' },
        { ...make, id: '4', atomicityGroup: 'g', dependsOn: ['1'] },
        { ...make, id: '5', dependsOn: ['g'] },
        { ...make, id: '6' },
        { ...make, id: '7', dependsOn: ['6'] },
      ],
      { prefer: 'odata.continue-on-error' },
    );
    expect(books.statuses(reply)).toEqual([400, 424, 424, 424, 424, 424, 201, 201]);
    expect(reply.body.responses[1].body.error.code).toBe('FailedDependency');
    expect(await books.count(name)).toBe(2);
  });

  it('performs the requests of a group together or not at all, and answers one error', async () => {
    const items = await books.set('items');
    const [kept, lost] = [books.name(), books.name()];
    const make = (displayName: string, id: string) => ({
      id,
      atomicityGroup: displayName,
      method: 'POST',
      url: items,
      body: { displayName },
    });
    const reply = await books.send(
      [
        make(kept, '1'),
        {
          id: '2',
          atomicityGroup: kept,
          method: 'PATCH',
          url: '$1',
          headers: { 'If-Match': '*' },
          body: { unitPrice: 3 },
        },
        make(lost, '3'),
        { ...make(lost, '4'), body: { nonsense: 1 } },
        make(lost, '5'),
        { id: '6', method: 'GET', url: `${items}?$filter=displayName eq '${kept}'&$select=unitPrice` },
      ],
      { prefer: 'odata.continue-on-error' },
    );
    expect(reply.body.responses).toMatchObject([
      { id: '1', atomicityGroup: kept, status: 201 },
      { id: '2', atomicityGroup: kept, status: 200, body: { unitPrice: 3 } },
      { id: '4', atomicityGroup: lost, status: 400 },
      { id: '6', status: 200, body: { value: [{ unitPrice: 3 }] } },
    ]);
    expect(await books.count(lost)).toBe(0);
  });

  it.each(['isolation', 'odata-isolation'])('is all or nothing with %s: snapshot', async (header) => {
    const items = await books.set('items');
    const name = books.name();
    const make = { id: '1', method: 'POST', url: items, body: { displayName: name } };
    const look = { method: 'GET', url: `${items}?$filter=displayName eq '${name}'&$select=number` };
    const fail = { method: 'POST', url: items, body: { nonsense: 1 } };
    const stopped = await books.send(
      [make, look, fail, make].map((each, index) => ({ ...each, id: `${index}` })),
      { [header]: 'Snapshot' },
    );
    expect(books.statuses(stopped)).toEqual([201, 200, 400]);
    expect(stopped.body.responses[1].body.value).toHaveLength(1);
    expect(await books.count(name)).toBe(0);
    const through = await books.send(
      [make, { ...fail, id: '2' }, { ...look, dependsOn: ['1'] }, { method: 'GET', url: '$2' }],
      { [header]: 'snapshot', prefer: 'odata.continue-on-error' },
    );
    expect(books.statuses(through)).toEqual([201, 400, 200, 424]);
    expect(await books.count(name)).toBe(0);
    expect(books.statuses(await books.send([make, look], { [header]: 'snapshot' }))).toEqual([201, 200]);
    expect(await books.count(name)).toBe(1);
  });

  it('has at most a hundred requests by default, or as many as are configured', async () => {
    const get = { method: 'GET', url: 'companies?$select=id' };
    expect((await books.send(Array(100).fill(get))).status).toBe(200);
    const refused = await books.send(Array(101).fill(get));
    expect(refused).toMatchObject({ status: 400, body: { error: { code: 'Unknown' } } });
    expect(refused.body.error.message).toContain('101 requests; the maximum is 100');
    await setLimits(bench, { name: 'business.batch-items', limit: 2 });
    const make = { method: 'POST', url: await books.set('items'), body: { displayName: books.name() } };
    expect((await books.send([make, make, make])).status).toBe(400);
    expect(await books.count(make.body.displayName)).toBe(0);
    await setLimits(bench, { name: 'business.batch-items', limit: 101 });
    expect((await books.send(Array(101).fill(get))).status).toBe(200);
    await setLimits(bench, { name: 'business.batch-items', limit: 205 });
    const many = await books.send([...Array(204).fill(make), { method: 'POST', url: make.url, body: { nonsense: 1 } }]);
    expect(books.statuses(many)).toEqual([...Array(204).fill(201), 400]);
    expect(await books.count(make.body.displayName)).toBe(204);
    await setLimits(bench, { name: 'business.batch-items', limit: null });
  });

  it.each([
    ['another batch', { method: 'POST', url: '$batch', body: { requests: [] } }, 400, 'BadRequest'],
    ['another batch by its whole address', { method: 'POST', url: '/api/v2.0/%24batch', body: {} }, 400, 'BadRequest'],
    ['another API', { method: 'GET', url: '/api/v1.0/companies' }, 400, 'BadRequest_InvalidRequestUrl'],
    ['an unknown method', { method: 'FETCH', url: 'companies' }, 405, 'BadRequest_MethodNotAllowed'],
    [
      'an unknown set',
      { method: 'GET', url: 'nowhere', headers: { company: 'x' } },
      404,
      'BadRequest_ResourceNotFound',
    ],
    ['an unknown company', { method: 'GET', url: 'items', headers: { company: 'x' } }, 404, 'Internal_CompanyNotFound'],
    ['a request to nothing that it has made', { method: 'GET', url: '$1' }, 400, 'BadRequest_InvalidRequestUrl'],
  ])('refuses %s and nothing else', async (_, request, status, code) => {
    const reply = await books.send([request, { method: 'GET', url: 'companies' }], { prefer: 'continue-on-error' });
    expect(reply.body.responses).toMatchObject([{ status, body: { error: { code } } }, { status: 200 }]);
  });

  it.each([
    ['nothing', '', 'application/json', 400],
    ['bytes', '\0\xff\0', 'application/json', 400],
    ['a text', 'hello', 'text/plain', 415],
    ['no requests', '{}', 'application/json', 400],
    ['a multipart without a boundary', '--b--', 'multipart/mixed', 400],
    ['a multipart without an end', '--b\r\n\r\n', 'multipart/mixed; boundary=b', 400],
  ])('of %s is refused as a whole', async (_, body, type, status) => {
    const reply = await bench.call('POST', '/api/v2.0/$batch', { body, headers: { 'content-type': type } });
    expect(reply.status).toBe(status);
    expect(reply.body.error.code).toBe('BadRequest');
  });

  it('refuses an isolation that it does not know', async () => {
    expect((await books.send([], { isolation: 'serializable' })).status).toBe(400);
  });

  it('that is empty has an empty answer', async () => {
    expect((await books.send([])).body).toEqual({ responses: [] });
    const mixed = await bench.call('POST', '/api/v2.0/$batch', {
      body: '--b--',
      headers: { 'content-type': 'multipart/mixed; boundary=b' },
    });
    expect(mixed).toMatchObject({ status: 200, text: expect.stringMatching(/^--batchresponse_\S+--\r\n$/) });
  });

  it('creates documents with their lines', async () => {
    const [{ number: customerNumber }] = await books.read('customers?$top=1&$select=number');
    const [{ id: itemId }] = await books.read('items?$top=1&$select=id');
    const order = { customerNumber, salesOrderLines: [{ lineType: 'Item', itemId, quantity: 2 }] };
    const orders = await books.set('salesOrders');
    const reply = await books.send([
      { id: '1', method: 'POST', url: `${orders}?$expand=salesOrderLines`, body: order },
      { id: '2', method: 'POST', url: '$1/salesOrderLines', body: { lineType: 'Item', itemId, quantity: 1 } },
      { method: 'GET', url: '$1/salesOrderLines' },
    ]);
    expect(books.statuses(reply)).toEqual([201, 201, 200]);
    expect(reply.body.responses[2].body.value).toMatchObject([{ quantity: 2 }, { quantity: 1 }]);
  });

  it('creates and removes subscriptions, which cannot be part of a transaction', async () => {
    const items = await books.set('items');
    const make = { method: 'POST', url: items, body: { displayName: books.name() } };
    const notificationUrl = bench.jar.inbox('batch').httpsUrl;
    const subscribe = { id: '1', method: 'POST', url: 'subscriptions', body: { notificationUrl, resource: items } };
    const unsubscribe = { method: 'DELETE', url: '$1', headers: { 'If-Match': '*' } };
    expect(books.statuses(await books.send([make, subscribe, make, unsubscribe, make]))).toEqual([
      201, 201, 201, 204, 201,
    ]);
    const grouped = await books.send([make, { ...subscribe, atomicityGroup: 'g' }, make]);
    expect(books.statuses(grouped)).toEqual([201, 400]);
    expect(books.statuses(await books.send([make, subscribe], { isolation: 'snapshot' }))).toEqual([201, 400]);
  });

  it('of the same writes twice at once gives every record a number of its own', async () => {
    const name = books.name();
    const make = { method: 'POST', url: await books.set('customers'), body: { displayName: name } };
    const replies = await Promise.all([1, 2, 3, 4].map(() => books.send(Array(20).fill(make))));
    const numbers = replies.flatMap(({ body }) =>
      body.responses.map((response: { body: { number: string } }) => response.body.number),
    );
    expect(new Set(numbers).size).toBe(80);
  });
});
