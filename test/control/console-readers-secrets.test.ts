import { beforeEach, expect, it } from 'vitest';
import {
  GROUP,
  makeTopic,
  subscribe as subscribeToEvents,
  VERSION,
  webHook,
} from '../services/events/delivering/grid.ts';
import { subscribed } from '../services/mail/notifications/support.ts';
import { type Ask, by, good, person } from '../services/platform/support.ts';
import { onAnyStore } from '../support/jars.ts';
import { readerOf } from './console-readers-support.ts';

const CODE = '?code=s3cret';

onAnyStore('secrets in the answers of services to readers of the console', (bench) => {
  let reader: Awaited<ReturnType<typeof readerOf>>;
  let admin: Ask;
  let asReader: Ask;
  beforeEach(async () => {
    reader = await readerOf(bench.jar);
    admin = await person(bench);
    asReader = by(bench, reader.token);
  });

  /** What the administrator and the reader get from the same address. */
  const both = async (path: string) => [await good(admin('GET', path)), await good(asReader('GET', path))];

  const refused = async (method: string, path: string, body: object) => {
    const { status, text } = await asReader(method, path, body);
    expect([path, status, text]).toEqual([path, 403, expect.stringContaining('ReadOnlyToken')]);
  };

  it('mail subscriptions show their addresses without queries', async () => {
    const [changes, lifecycle] = [bench.jar.inbox('mail').httpsUrl, bench.jar.inbox('mail-lifecycle').httpsUrl];
    const { id } = await subscribed(bench, {
      notificationUrl: changes + CODE,
      lifecycleNotificationUrl: lifecycle + CODE,
      clientState: 's3cret',
    });
    const whole = { id, notificationUrl: changes + CODE, lifecycleNotificationUrl: lifecycle + CODE };
    const shown = { id, notificationUrl: changes, lifecycleNotificationUrl: lifecycle };
    for (const version of ['v1.0', 'beta']) {
      const [all, seen] = await both(`//${version}/subscriptions`);
      expect([all.value, seen.value]).toMatchObject([[whole], [shown]]);
      expect(await both(`//${version}/subscriptions/${id}`)).toMatchObject([whole, shown]);
      expect(JSON.stringify(seen)).not.toContain('s3cret');
    }
  });

  it('business subscriptions show neither queries nor client states, and filters do not find them', async () => {
    const api = '//api/v2.0';
    const [{ value: companies }] = await both(`${api}/companies`);
    const url = bench.jar.inbox('business').httpsUrl;
    const resource = `/api/v2.0/companies(${companies[0].id})/customers`;
    const { subscriptionId } = await good(
      admin('POST', `${api}/subscriptions`, { notificationUrl: url + CODE, resource, clientState: 's3cret' }),
    );
    const whole = { subscriptionId, notificationUrl: url + CODE, clientState: 's3cret' };
    const shown = { subscriptionId, notificationUrl: url, clientState: '' };
    const [all, seen] = await both(`${api}/subscriptions`);
    expect([all.value, seen.value]).toMatchObject([[whole], [shown]]);
    expect(await both(`${api}/subscriptions('${subscriptionId}')`)).toMatchObject([whole, shown]);
    for (const filter of ["startswith(clientState,'s3')", "contains(notificationUrl,'s3cret')"]) {
      const [found, nothing] = await both(`${api}/subscriptions?$filter=${encodeURIComponent(filter)}`);
      expect([found.value.length, nothing.value.length]).toEqual([1, 0]);
    }
  });

  it('event subscriptions show the address without its query to everybody, and actions that show secrets are refused', async () => {
    const topic = await makeTopic(bench);
    const url = bench.jar.inbox('events').httpsUrl;
    await subscribeToEvents(bench, topic.id, 'hook', {
      destination: webHook(url + CODE, {
        deliveryAttributeMappings: [
          { name: 'X-Team', type: 'Static', properties: { value: 's3cret', isSecret: true } },
          { name: 'X-Color', type: 'Static', properties: { value: 'green' } },
        ],
      }),
    });
    const path = `/${topic.id}/providers/Vendor.EventGrid/eventSubscriptions`;
    const answers = [
      ...(await both(`${path}/hook?${VERSION}`)),
      ...(await both(`${path}?${VERSION}`)).map(({ value }) => value[0]),
      ...(await both(`/${GROUP}/providers/Vendor.EventGrid/topics/orders?${VERSION}`)),
    ];
    expect(JSON.stringify(answers)).not.toContain('s3cret');
    expect(answers[1].properties.destination.properties).toMatchObject({
      endpointUrl: null,
      endpointBaseUrl: url,
      deliveryAttributeMappings: [{ properties: { isSecret: true, value: 'Hidden' } }, { name: 'X-Color' }],
    });
    for (const action of ['getFullUrl', 'getDeliveryAttributes']) {
      const { text } = await admin('POST', `${path}/hook/${action}?${VERSION}`);
      expect(text).toContain('s3cret');
      await refused('POST', `${path}/hook/${action}?${VERSION}`, {});
    }
    await refused('POST', `/${topic.id}/listKeys?${VERSION}`, {});
  });

  it('registry webhooks show their addresses without queries', async () => {
    const url = 'https://receiver.example/hook';
    const target = { http_url_spec: { url: url + CODE, secret: 's3cret', authorization: 's3cret' } };
    await good(admin('POST', '/mlflow/registry-webhooks/create', { events: ['REGISTERED_MODEL_CREATED'], ...target }));
    const [all, seen] = await both('/mlflow/registry-webhooks/list');
    const spec = { enable_ssl_verification: true };
    expect(all.webhooks).toMatchObject([{ http_url_spec: { url: url + CODE, ...spec } }]);
    expect(seen.webhooks).toMatchObject([{ http_url_spec: { url, ...spec } }]);

    const events = [{ entity: 'REGISTERED_MODEL', action: 'CREATED' }];
    const { webhook } = await good(admin('POST', '/mlflow/webhooks', { name: 'hook', url: url + CODE, events }));
    const [open, seenOpen] = await both('/mlflow/webhooks');
    expect([open.webhooks, seenOpen.webhooks]).toMatchObject([[{ url: url + CODE }], [{ url }]]);
    const [one, seenOne] = await both(`/mlflow/webhooks/${webhook.webhook_id}`);
    expect([one.webhook.url, seenOne.webhook.url]).toEqual([url + CODE, url]);
  });

  it('notification destinations are refused', async () => {
    const config = { generic_webhook: { url: `https://receiver.example/${CODE}` } };
    const { id } = await good(admin('POST', '/notification-destinations', { display_name: 'd', config }));
    for (const path of ['/notification-destinations', `/notification-destinations/${id}`]) {
      expect((await admin('GET', path)).text).not.toContain('s3cret');
      await refused('GET', path, {});
    }
  });
});
