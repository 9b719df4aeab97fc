import { beforeEach, expect, it } from 'vitest';
import { onBothStores } from '../benches.ts';
import { errorOf } from '../support.ts';
import { control, openWebhooks, type Webhooks } from './support.ts';

const DAY = 86_400_000;

onBothStores('the life of a webhook subscription', (bench) => {
  let hooks: Webhooks;
  beforeEach(async () => {
    hooks ??= await openWebhooks(bench);
  });
  const now = (): number => bench.jar.clock.now().getTime();
  const iso = (time: number): string => new Date(time).toISOString();

  it('begins with a POST whose receiver echoes the token: 201 with all properties and a Location', async () => {
    const body = {
      notificationUrl: `${hooks.inbox('begin')}?code=hidden`,
      resource: hooks.resource('customers'),
      clientState: 'mine',
    };
    const reply = await hooks.subscribe(body);
    expect([reply.status, reply.text]).toEqual([201, expect.any(String)]);
    const { subscriptionId } = reply.body;
    expect(subscriptionId).toMatch(/^[0-9a-f]{32}$/);
    expect(reply.body).toEqual({
      '@odata.context': `${bench.jar.url}/api/v2.0/$metadata#subscriptions/$entity`,
      '@odata.etag': expect.stringMatching(/^W\/".+"$/),
      subscriptionId,
      ...body,
      userId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      lastModifiedDateTime: iso(now()),
      expirationDateTime: iso(now() + 3 * DAY),
      timestamp: now(),
      systemCreatedAt: iso(now()),
      systemCreatedBy: reply.body.userId,
      systemModifiedAt: iso(now()),
      systemModifiedBy: reply.body.userId,
    });
    expect(reply.headers.get('location')).toBe(`${bench.jar.url}/api/v2.0/subscriptions('${subscriptionId}')`);
    const received = await bench.jar.inbox('begin').requests();
    expect(received).toMatchObject([{ method: 'POST', body: '', query: { validationToken: expect.any(String) } }]);
    const read = await hooks.read(subscriptionId);
    expect([read.status, read.body]).toEqual([200, reply.body]);
  });

  it('begins without a body in the answer on request', async () => {
    const body = { notificationUrl: hooks.inbox('quiet'), resource: hooks.resource('customers') };
    const reply = await hooks.subscribe(body, { headers: { prefer: 'return-no-content' } });
    expect([reply.status, reply.text]).toEqual([204, '']);
    expect((await bench.call('GET', reply.headers.get('location') ?? '')).body).toMatchObject(body);
  });

  it('shows fewer properties in v1.0, and is the same subscription on every route', async () => {
    const old = await openWebhooks(bench, 'v1.0');
    const made = await old.make('customers', 'old');
    expect(
      Object.keys(made)
        .filter((name) => !name.startsWith('@'))
        .sort(),
    ).toEqual([
      'clientState',
      'expirationDateTime',
      'lastModifiedDateTime',
      'notificationUrl',
      'resource',
      'subscriptionId',
      'userId',
    ]);
    expect(made.clientState).toBe('');
    const { body } = await hooks.read(made.subscriptionId);
    expect(body).toMatchObject({ resource: old.resource('customers'), timestamp: expect.any(Number) });
  });

  it('is read by its key with and without quotes, and below its company', async () => {
    const { subscriptionId: id } = await hooks.make('items', 'keys');
    for (const path of [
      `/api/v2.0/subscriptions(${id})`,
      `/api/v2.0/subscriptions('${id.toUpperCase()}')`,
      `/api/v2.0/companies(${hooks.companyId})/subscriptions('${id}')`,
    ]) {
      expect([path, (await bench.call('GET', path)).body.subscriptionId]).toEqual([path, id]);
    }
    const selected = await hooks.read(`${id}')?$select=resource&x=('`);
    expect(selected.status).toBe(200);
  });

  it('continues with a PATCH: 200 with all properties, and three days from then on', async () => {
    const made = await hooks.make('vendors', 'renewed', { clientState: 'first' });
    await bench.jar.clock.advance('2d');
    const reply = await hooks.renew(
      made.subscriptionId,
      { notificationUrl: hooks.inbox('renewed-elsewhere'), resource: hooks.resource('items'), clientState: 'second' },
      { headers: { 'if-match': made['@odata.etag'] } },
    );
    expect(reply.status).toBe(200);
    expect(Object.keys(reply.body)).toEqual(Object.keys(made));
    expect(reply.body).toMatchObject({
      subscriptionId: made.subscriptionId,
      notificationUrl: hooks.inbox('renewed-elsewhere'),
      resource: hooks.resource('items'),
      clientState: 'second',
      lastModifiedDateTime: iso(now()),
      expirationDateTime: iso(now() + 3 * DAY),
      systemCreatedAt: made.systemCreatedAt,
    });
    expect(reply.body['@odata.etag']).not.toBe(made['@odata.etag']);
    expect(await bench.jar.inbox('renewed-elsewhere').requests()).toHaveLength(1);
    await bench.jar.clock.advance(3 * DAY - 1);
    expect((await hooks.read(made.subscriptionId)).status).toBe(200);
    await bench.jar.clock.advance(1);
    expect((await hooks.read(made.subscriptionId)).status).toBe(404);
  });

  it('is renewed by an empty PATCH, which leaves everything else as it is', async () => {
    const made = await hooks.make('currencies', 'kept', { clientState: 'kept' });
    await bench.jar.clock.advance('1h');
    const { status, body } = await hooks.renew(made.subscriptionId);
    expect(status).toBe(200);
    expect(body).toMatchObject({ clientState: 'kept', notificationUrl: made.notificationUrl, resource: made.resource });
    expect(body.expirationDateTime).toBe(iso(now() + 3 * DAY));
  });

  it('accepts a whole subscription that was read; the service keeps its own properties', async () => {
    const made = await hooks.make('currencies', 'sent-back');
    const { body } = await hooks.renew(made.subscriptionId, { ...made, expirationDateTime: '2099-01-01T00:00:00Z' });
    expect(body).toMatchObject({ subscriptionId: made.subscriptionId, expirationDateTime: iso(now() + 3 * DAY) });
  });

  it('needs If-Match for a PATCH, with its current etag', async () => {
    const made = await hooks.make('dimensions', 'tags');
    const id = made.subscriptionId;
    const without = await hooks.renew(id, {}, { headers: { 'if-match': '' } });
    expect(errorOf(without)).toMatchObject({ status: 400, code: 'BadRequest_InvalidToken' });
    const malformed = await hooks.renew(id, {}, { headers: { 'if-match': 'nonsense' } });
    expect(errorOf(malformed)).toMatchObject({ status: 400, code: 'BadRequest_InvalidToken' });
    await hooks.renew(id, { clientState: 'new' });
    const stale = { headers: { 'if-match': made['@odata.etag'] } };
    expect(errorOf(await hooks.renew(id, {}, stale))).toMatchObject({ status: 409, code: 'Request_EntityChanged' });
    expect(errorOf(await hooks.remove(id, stale))).toMatchObject({ status: 409, code: 'Request_EntityChanged' });
    expect((await hooks.read(id)).body.clientState).toBe('new');
    expect(await bench.jar.inbox('tags').requests()).toHaveLength(2);
  });

  it('is unchanged after a PATCH whose handshake fails', async () => {
    const made = await hooks.make('employees', 'stays', { clientState: 'before' });
    await bench.jar.inbox('refusing').respond({ handshake: 'refuse' });
    await bench.jar.clock.advance('1h');
    const body = { notificationUrl: hooks.inbox('refusing'), resource: hooks.resource('items'), clientState: 'after' };
    const reply = await hooks.renew(made.subscriptionId, body);
    expect(errorOf(reply)).toMatchObject({
      status: 400,
      code: 'Application_DialogException',
      message: expect.stringContaining('it answered 400'),
    });
    expect((await hooks.read(made.subscriptionId)).body).toEqual(made);
  });

  it('lets one of two PATCHes with the same etag win', async () => {
    const made = await hooks.make('employees', 'contended');
    const headers = { 'if-match': made['@odata.etag'] };
    const replies = await Promise.all(
      ['one', 'two'].map((clientState) => hooks.renew(made.subscriptionId, { clientState }, { headers })),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
    const winner = replies.find(({ status }) => status === 200);
    expect((await hooks.read(made.subscriptionId)).body).toEqual(winner?.body);
  });

  it('is not restored by a PATCH whose handshake was running while it was deleted', async () => {
    const made = await hooks.make('employees', 'slow');
    const { subscriptionId: id } = made;
    await bench.jar.inbox('slow').respond({ delayMs: 400 });
    const renewal = hooks.renew(id);
    await bench.jar.inbox('slow').next(({ id: number }) => number === '2');
    expect((await hooks.remove(id)).status).toBe(204);
    expect(errorOf(await renewal)).toMatchObject({ status: 404, code: 'Internal_RecordNotFound' });
    expect((await hooks.read(id)).status).toBe(404);
  });

  it('ends at the instant of its expiry, and leaves a record of that', async () => {
    const made = await hooks.make('journals', 'expiring');
    const id = made.subscriptionId;
    await bench.jar.clock.advance(3 * DAY - 1);
    expect((await hooks.list(`?$filter=subscriptionId eq '${id}'`)).body.value).toHaveLength(1);
    await bench.jar.clock.advance(1);
    expect((await hooks.list(`?$filter=subscriptionId eq '${id}'`)).body.value).toEqual([]);
    expect(errorOf(await hooks.read(id))).toMatchObject({ status: 404, code: 'Internal_RecordNotFound' });
    expect((await hooks.renew(id)).status).toBe(404);
    const { body } = await control(bench, 'GET', `business/subscriptions/${id}`);
    expect(body).toMatchObject({
      state: 'removed',
      reason: 'expired',
      removedAt: made.expirationDateTime,
      expirationDateTime: made.expirationDateTime,
      set: 'journals',
      detail: `It was not renewed before ${made.expirationDateTime}.`,
    });
  });

  it('ends by a DELETE with 204 and no body, once', async () => {
    const { subscriptionId: id, userId } = await hooks.make('paymentTerms', 'deleted');
    const reply = await hooks.remove(id);
    expect([reply.status, reply.text]).toEqual([204, '']);
    expect(errorOf(await hooks.remove(id))).toMatchObject({ status: 404, code: 'Internal_RecordNotFound' });
    const { body } = await control(bench, 'GET', 'business/subscriptions/removed?reason=deleted');
    expect(body.value[0]).toMatchObject({
      subscriptionId: id,
      reason: 'deleted',
      removedBy: userId,
      removedAt: iso(now()),
    });
  });

  it('may exist twice for the same resource and address', async () => {
    const [one, other] = [await hooks.make('customers', 'twice'), await hooks.make('customers', 'twice')];
    expect(one.subscriptionId).not.toBe(other.subscriptionId);
    const { body } = await hooks.list(`?$filter=notificationUrl eq '${hooks.inbox('twice')}'&$count=true`);
    expect(body['@odata.count']).toBe(2);
  });

  it('is invisible to another tenant', async () => {
    const { subscriptionId: id } = await hooks.make('customers', 'ours');
    const others = await openWebhooks(bench, 'v2.0', await bench.jar.token({ user: 'other', ttl: '365d' }));
    expect((await others.read(id)).status).toBe(404);
    expect((await others.renew(id)).status).toBe(404);
    expect((await others.remove(id)).status).toBe(404);
    expect((await others.list()).body.value).toEqual([]);
    const foreign = { notificationUrl: hooks.inbox('ours'), resource: hooks.resource('customers') };
    expect(errorOf(await others.subscribe(foreign))).toMatchObject({
      status: 400,
      message: expect.stringContaining('no company'),
    });
    expect((await hooks.read(id)).status).toBe(200);
  });
});
