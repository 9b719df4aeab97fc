import { beforeEach, describe, expect, it } from 'vitest';
import type { InboxBehaviour } from '../../../../src/testing/index.ts';
import { onAnyStore } from '../../../support/jars.ts';
import { arrived, inMinutes, subscribe, subscribed } from './support.ts';

onAnyStore('subscriptions that are refused', (bench) => {
  beforeEach(() => bench.jar.reset());

  const url = (name: string): string => bench.jar.inbox(name).httpsUrl;

  describe.each<[string, object, string]>([
    ['no changeType', { changeType: undefined }, 'InvalidRequest'],
    ['an unknown changeType', { changeType: 'created,moved' }, 'InvalidRequest'],
    ['no notificationUrl', { notificationUrl: undefined }, 'InvalidRequest'],
    ['an address that is none', { notificationUrl: 'nowhere' }, 'InvalidRequest'],
    ['an address without https', { notificationUrl: 'http://receiver.example/hook' }, 'InvalidRequest'],
    ['a lifecycle address without https', { lifecycleNotificationUrl: 'http://receiver.example' }, 'InvalidRequest'],
    ['no resource', { resource: '' }, 'InvalidRequest'],
    ['an absolute resource', { resource: 'https://graph.vendor.example/v1.0/me/messages' }, 'InvalidRequest'],
    ['a resource that is not there', { resource: 'me/contacts' }, 'InvalidRequest'],
    ['one message', { resource: 'me/messages/AAMk' }, 'InvalidRequest'],
    ['a path that means nothing', { resource: '/' }, 'InvalidRequest'],
    ['options of printers', { notificationQueryOptions: '$filter=isRead eq true' }, 'InvalidRequest'],
    ['$top', { resource: 'me/messages?$top=5' }, 'InvalidRequest'],
    ['$orderby', { resource: 'me/messages?$orderby=subject' }, 'InvalidRequest'],
    ['$expand', { resource: 'me/messages?$expand=attachments' }, 'InvalidRequest'],
    ['a filter that cannot be read', { resource: 'me/messages?$filter=isRead is true' }, 'InvalidRequest'],
    ['a malformed folder', { resource: 'me/mailFolders/nothing/messages' }, 'ErrorInvalidIdMalformed'],
    ['no expirationDateTime', { expirationDateTime: undefined }, 'InvalidRequest'],
    ['an expiry that is no time', { expirationDateTime: 'tomorrow' }, 'InvalidRequest'],
    ['an expiry that is over', { expirationDateTime: '2001-01-01T00:00:00Z' }, 'InvalidRequest'],
    ['a client state of 256 characters', { clientState: 'x'.repeat(256) }, 'RequestBodyRead'],
    ['another content type', { notificationContentType: 'application/xml' }, 'InvalidRequest'],
    ['web push', { vapidPublicKey: 'x' }, 'InvalidRequest'],
    ['a property that there is not', { nothing: 1 }, 'RequestBodyRead'],
  ])('one with %s', (_, given, code) => {
    it(`is answered by 400 ${code}, and leaves nothing`, async () => {
      expect(await subscribe(bench, given)).toMatchObject({ status: 400, body: { error: { code } } });
      expect((await bench.call('GET', '/v1.0/subscriptions')).body.value).toEqual([]);
      expect(await bench.jar.inbox('changes').requests()).toEqual([]);
    });
  });

  it('an expiry of less than 45 minutes is raised, one of more than 10,080 is refused by its number', async () => {
    const early = await subscribed(bench, { expirationDateTime: inMinutes(bench, 5) });
    expect(Date.parse(early.expirationDateTime)).toBe(Date.parse(inMinutes(bench, 45)));
    const reply = await subscribe(bench, { changeType: 'created', expirationDateTime: inMinutes(bench, 10_081) });
    expect(reply).toMatchObject({ status: 400, body: { error: { code: 'ExtensionError' } } });
    expect(reply.text).toContain('10080 minutes');
    expect(
      (await subscribe(bench, { changeType: 'created', expirationDateTime: inMinutes(bench, 10_080) })).status,
    ).toBe(201);
  });

  it('an address has to say the token back, decoded, as text, with 200 and nothing else', async () => {
    const inbox = bench.jar.inbox('changes');
    const wrong: readonly InboxBehaviour[] = [
      { handshake: 'refuse' },
      { handshake: 'ignore' },
      { handshake: 'ignore', status: 202 },
      { handshake: 'ignore', status: 301, headers: { location: url('other') } },
      { handshake: 'ignore', status: 404 },
      { handshake: 'ignore', body: 'something else', headers: { 'content-type': 'text/plain' } },
    ];
    for (const behaviour of wrong) {
      await inbox.respond(behaviour);
      const reply = await subscribe(bench, {});
      expect(reply, JSON.stringify(behaviour)).toMatchObject({
        status: 400,
        body: { error: { code: 'ValidationError' } },
      });
      expect(reply.text).toContain('Subscription validation request failed');
    }
    await inbox.respond({});
    await bench.jar.inbox('lifecycle').respond({ handshake: 'refuse' });
    const lifecycle = await subscribe(bench, { lifecycleNotificationUrl: url('lifecycle') });
    expect(lifecycle).toMatchObject({ status: 400, body: { error: { code: 'ValidationError' } } });
    expect((await bench.call('GET', '/v1.0/subscriptions')).body.value).toEqual([]);
    const { body } = await bench.call('GET', '/_jar/deliveries?policy=mail.handshake', { token: bench.jar.adminKey });
    expect(body.value).toHaveLength(8);
  });

  it('the same resource and changes again are a conflict that names the first subscription, only for this user and application', async () => {
    const { id } = await subscribed(bench, { changeType: 'created,deleted' });
    const double = await subscribe(bench, { changeType: 'deleted, created', notificationUrl: url('other') });
    expect(double).toMatchObject({ status: 409, body: { error: { code: 'Conflict' } } });
    expect(double.text).toContain(id);
    expect((await subscribe(bench, { changeType: 'created' })).status).toBe(201);
    const token = await bench.jar.token({ user: 'licensed' });
    expect((await subscribe(bench, { changeType: 'created,deleted' }, { token })).status).toBe(201);
  });

  it('a mailbox has at most a thousand, of all creators together', async () => {
    const limit = { name: 'mail.subscriptions', limit: 2 };
    await bench.call('PATCH', '/_jar/limits', { body: limit, token: bench.jar.adminKey });
    const { id } = await subscribed(bench, { changeType: 'created' });
    await subscribed(bench, { changeType: 'updated' });
    const third = await subscribe(bench, { changeType: 'deleted' });
    expect(third).toMatchObject({ status: 403, body: { error: { code: 'ExtensionError' } } });
    expect((await bench.call('DELETE', `/v1.0/subscriptions/${id}`)).status).toBe(204);
    expect((await subscribe(bench, { changeType: 'deleted' })).status).toBe(201);
  });

  describe.each([
    ['Mail.Read', 'me/messages', 201],
    ['Mail.ReadBasic', 'me/messages', 201],
    ['Mail.ReadWrite', 'me/messages', 403],
    ['Mail.Read.Shared', 'me/messages', 403],
    ['Calendars.Read', 'me/messages', 403],
    ['Calendars.Read', 'me/events', 201],
    ['Calendars.ReadWrite', 'me/events', 403],
    ['Mail.Read', 'me/events', 403],
    ['Mail.Read', 'users/licensed@vendor.example/messages', 403],
    ['Mail.Read', 'users/admin@vendor.example/messages', 201],
  ])('a token with %s', (scope, resource, status) => {
    it(`gets ${status} for ${resource}`, async () => {
      const token = await bench.jar.token({ scope });
      const reply = await subscribe(bench, { resource }, { token });
      expect(reply.status, reply.text).toBe(status);
      if (status !== 201) return expect(reply.body.error.code).toBe('ExtensionError');
      const address = `/v1.0/subscriptions/${reply.body.id}`;
      const other = await bench.jar.token({ scope: 'User.Read' });
      for (const method of ['GET', 'DELETE'])
        expect(await bench.call(method, address, { token: other })).toMatchObject({
          status: 403,
          body: { error: { code: 'ExtensionError' } },
        });
    });
  });

  it('subscriptions of other callers cannot be reached', async () => {
    const { id } = await subscribed(bench, {});
    const token = await bench.jar.token({ user: 'licensed' });
    expect((await bench.call('GET', '/v1.0/subscriptions', { token })).body.value).toEqual([]);
    const body = { expirationDateTime: inMinutes(bench, 100) };
    for (const [method, path] of [
      ['GET', id],
      ['PATCH', id],
      ['DELETE', id],
      ['POST', `${id}/reauthorize`],
    ])
      expect(
        await bench.call(String(method), `/v1.0/subscriptions/${path}`, { token, ...(method === 'PATCH' && { body }) }),
      ).toMatchObject({ status: 404 });
    expect((await bench.call('GET', `/beta/subscriptions('${id}')`)).status).toBe(200);
  });

  it('with Subscription.Read.All a user lists those of all applications, an administrator those of everybody', async () => {
    const { id } = await subscribed(bench, {});
    const lin = await bench.jar.token({ user: 'licensed' });
    const { id: ofLin } = await subscribed(bench, {}, { token: lin });
    const resource = 'users/licensed@vendor.example/messages';
    const { id: ofApplication } = await subscribed(
      bench,
      { resource },
      { token: await bench.jar.token({ user: 'app' }) },
    );
    const listed = async (user: string) => {
      const token = await bench.jar.token({ user, scope: 'Subscription.Read.All' });
      const { value } = (await bench.call('GET', '/v1.0/subscriptions', { token })).body;
      return value.map((each: { id: string }) => each.id).sort();
    };
    expect(await listed('admin')).toEqual([id, ofLin, ofApplication].sort());
    expect(await listed('licensed')).toEqual([ofLin]);
  });

  it('a change is of the expiry or the address, and another address is validated', async () => {
    const made = await subscribed(bench, {});
    const patch = (body: object) => bench.call('PATCH', `/v1.0/subscriptions/${made.id}`, { body });
    for (const body of [{}, { changeType: 'created' }, { resource: 'me/events' }, { clientState: 'x' }])
      expect((await patch(body)).status, JSON.stringify(body)).toBe(400);
    await bench.jar.inbox('second').respond({ handshake: 'refuse' });
    expect((await patch({ notificationUrl: url('second') })).status).toBe(400);
    await bench.jar.inbox('second').respond({});
    expect((await patch({ notificationUrl: url('second') })).body.notificationUrl).toBe(url('second'));
    await bench.call('POST', '/v1.0/me/messages', { body: {} });
    await arrived(bench);
    expect((await bench.jar.inbox('second').next()).json().value).toMatchObject([{ changeType: 'created' }]);
    // A subscription may be sent back as it was read.
    const { body } = await bench.call('GET', `/v1.0/subscriptions/${made.id}`);
    expect((await patch({ ...body, expirationDateTime: inMinutes(bench, 700) })).status).toBe(200);
  });

  it('requests are limited by their kind, and work in a batch', async () => {
    const limit = { name: 'mail.subscription-lists', limit: 1, mode: 'enforced' };
    await bench.call('PATCH', '/_jar/limits', { body: limit, token: bench.jar.adminKey });
    const create = {
      id: '1',
      method: 'POST',
      url: '/subscriptions',
      headers: { 'content-type': 'application/json' },
      body: {
        changeType: 'created',
        notificationUrl: url('changes'),
        resource: 'me/messages',
        expirationDateTime: inMinutes(bench, 60),
      },
    };
    const list = { method: 'GET', url: '/subscriptions', dependsOn: ['1'] };
    const requests = [create, { id: '2', ...list }, { id: '3', ...list }];
    const { body } = await bench.call('POST', '/v1.0/$batch', { body: { requests } });
    expect(body.responses.map(({ status }: { status: number }) => status)).toEqual([201, 200, 429]);
    expect(body.responses[1].body.value).toMatchObject([{ id: body.responses[0].body.id }]);
  });

  it.each(['$filter=x eq 1', '$top=1', '$select=id'])('a list has no %s', async (query) => {
    const reply = await bench.call('GET', `/v1.0/subscriptions?${encodeURI(query)}`);
    expect(reply).toMatchObject({ status: 400, body: { error: { code: 'InvalidRequest' } } });
  });
});
