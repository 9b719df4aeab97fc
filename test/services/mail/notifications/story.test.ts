import type { Client } from '@microsoft/microsoft-graph-client';
import { beforeEach, expect, it } from 'vitest';
import { onBothStores } from '../../../support/jars.ts';
import { graphClient } from '../graph-client.ts';
import { arrived, inMinutes, inShort, subscribe, subscribed, told } from './support.ts';

onBothStores('change notifications', (bench) => {
  let client: Client;

  beforeEach(async () => {
    await bench.jar.reset();
    client = await graphClient(bench);
  });

  const draft = (subject: string, more: object = {}) => client.api('/me/messages').post({ subject, ...more });

  it('a subscription is created, read, renewed and deleted by the official client, and its address is notified meanwhile', async () => {
    const inbox = bench.jar.inbox('changes');
    const made = await client.api('/subscriptions').post({
      changeType: 'created,updated',
      notificationUrl: `${inbox.httpsUrl}?code=secret`,
      resource: "/me/mailFolders('Drafts')/messages",
      expirationDateTime: inMinutes(bench, 60),
      clientState: 'a secret',
    });
    expect(made).toMatchObject({
      '@odata.context': `${bench.jar.httpsUrl}/v1.0/$metadata#subscriptions/$entity`,
      resource: "/me/mailFolders('Drafts')/messages",
      changeType: 'created,updated',
      clientState: 'a secret',
      notificationUrl: `${inbox.httpsUrl}?code=secret`,
      lifecycleNotificationUrl: null,
      includeResourceData: false,
      latestSupportedTlsVersion: 'v1_2',
      encryptionCertificate: null,
    });
    const [handshake] = await inbox.requests();
    expect(handshake).toMatchObject({
      method: 'POST',
      handshake: { kind: 'validationToken', answered: true },
      headers: { 'content-type': 'text/plain; charset=utf-8' },
      query: { code: 'secret', validationToken: expect.stringMatching(/^Validation: .* Request-Id: .*[%+]/) },
      body: '',
    });
    const { id } = await draft('One');
    await arrived(bench);
    const me = made.creatorId.toLowerCase();
    expect((await inbox.next()).query.code).toBe('secret');
    expect(await told(inbox)).toEqual([
      {
        id: expect.any(String),
        subscriptionId: made.id,
        subscriptionExpirationDateTime: made.expirationDateTime,
        changeType: 'created',
        resource: `Users/${me}/Messages/${id}`,
        resourceData: {
          '@odata.type': '#Microsoft.Graph.Message',
          '@odata.id': `Users/${me}/Messages/${id}`,
          '@odata.etag': expect.stringMatching(/^W\/"/),
          id,
        },
        clientState: 'a secret',
        tenantId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      },
    ]);
    expect(await client.api(`/subscriptions/${made.id}`).get()).toMatchObject({ id: made.id, clientState: null });
    expect((await client.api('/subscriptions').get()).value).toMatchObject([{ id: made.id, clientState: null }]);
    const expirationDateTime = inMinutes(bench, 600);
    const renewed = await client.api(`/subscriptions/${made.id}`).patch({ expirationDateTime });
    expect(Date.parse(renewed.expirationDateTime)).toBe(Date.parse(expirationDateTime));
    await bench.jar.clock.advance('2h');
    await client.api(`/me/messages/${id}`).patch({ isRead: false });
    await arrived(bench);
    expect((await told(inbox)).slice(1)).toMatchObject([{ changeType: 'updated', resourceData: { id } }]);
    await client.api(`/subscriptions/${made.id}`).delete();
    await expect(client.api(`/subscriptions/${made.id}`).get()).rejects.toMatchObject({ statusCode: 404 });
    await draft('Two');
    await arrived(bench);
    expect(await told(inbox)).toHaveLength(2);
  });

  it('a subscription sees its folder, the whole mailbox everything, and a moved message has another id', async () => {
    const { jar } = bench;
    await subscribed(bench, { notificationUrl: jar.inbox('all').httpsUrl });
    await subscribed(bench, {
      resource: 'me/mailFolders/drafts/messages',
      notificationUrl: jar.inbox('drafts').httpsUrl,
    });
    await subscribed(bench, {
      resource: 'me/mailFolders/archive/messages',
      notificationUrl: jar.inbox('archive').httpsUrl,
    });
    const { id } = await draft('One');
    const moved = await client.api(`/me/messages/${id}/move`).post({ destinationId: 'archive' });
    await client.api(`/me/messages/${moved.id}/permanentDelete`).post({});
    await arrived(bench);
    const ids = [id, moved.id];
    const short = async (name: string) => inShort(await told(jar.inbox(name)), ids);
    expect(await short('all')).toEqual(['created 1', 'deleted 1', 'created 2', 'deleted 2']);
    expect(await short('drafts')).toEqual(['created 1', 'deleted 1']);
    expect(await short('archive')).toEqual(['created 2', 'deleted 2']);
  });

  it('by its immutable id a moved message is the same', async () => {
    const headers = { prefer: 'IdType="ImmutableId"' };
    await subscribed(bench, {}, { headers });
    const made = await bench.call('POST', '/v1.0/me/messages', { body: { subject: 'One' }, headers });
    await bench.call('POST', `/v1.0/me/messages/${made.body.id}/move`, { body: { destinationId: 'inbox' } });
    await bench.call('DELETE', `/v1.0/me/messages/${made.body.id}`);
    await bench.call('DELETE', `/v1.0/me/messages/${made.body.id}`);
    await arrived(bench);
    const seen = inShort(await told(bench.jar.inbox('changes')), [made.body.id]);
    expect(seen).toEqual(['created 1', 'updated 1', 'updated 1', 'deleted 1']);
  });

  it('an item that starts to match the filter is reported as created, one that stops as deleted', async () => {
    const inbox = bench.jar.inbox('changes');
    await subscribed(bench, { resource: "me/messages?$filter=isRead eq false and startswith(subject,'A')" });
    const one = await draft('A one');
    await draft('B one');
    await client.api(`/me/messages/${one.id}`).patch({ isRead: false });
    await client.api(`/me/messages/${one.id}`).patch({ importance: 'high' });
    await client.api(`/me/messages/${one.id}`).patch({ isRead: true });
    await client.api(`/me/messages/${one.id}`).patch({ importance: 'low' });
    await arrived(bench);
    expect(inShort(await told(inbox), [one.id])).toEqual(['created 1', 'updated 1', 'deleted 1']);
  });

  it('an expired subscription is removed with its queued notifications', async () => {
    const inbox = bench.jar.inbox('changes');
    const { id } = await subscribed(bench, { expirationDateTime: inMinutes(bench, 1) });
    await inbox.failTimes(1000);
    await draft('One');
    await bench.jar.settled();
    await bench.jar.clock.advance('44m');
    expect((await bench.call('GET', `/v1.0/subscriptions/${id}`)).status).toBe(200);
    await bench.jar.clock.advance('2m');
    expect((await bench.call('GET', `/v1.0/subscriptions/${id}`)).status).toBe(404);
    expect((await bench.call('GET', '/v1.0/subscriptions')).body.value).toEqual([]);
    const queued = await bench.call('GET', `/_jar/deliveries?owner=${id}&state=queued`, { token: bench.jar.adminKey });
    expect(queued.body.value).toEqual([]);
    // The same subscription is no longer a duplicate.
    expect((await subscribe(bench, {})).status).toBe(201);
  });

  it('a failing receiver gets the same notifications again, together with newer ones', async () => {
    const inbox = bench.jar.inbox('changes');
    await subscribed(bench, {});
    await subscribed(bench, { changeType: 'created' });
    await inbox.failTimes(2);
    const ids = [(await draft('One')).id, (await draft('Two')).id];
    await bench.jar.settled();
    expect(await told(inbox)).toEqual([]);
    await bench.jar.clock.advance('5m');
    const seen = inShort(await told(inbox), ids).toSorted();
    expect(seen).toEqual(['created 1', 'created 1', 'created 2', 'created 2']);
  });
});
