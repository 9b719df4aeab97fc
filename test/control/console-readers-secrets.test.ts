import { beforeEach, expect, it } from 'vitest';
import {
  GROUP,
  makeTopic,
  subscribe as subscribeToEvents,
  VERSION,
  webHook,
} from '../services/events/delivering/grid.ts';
import { subscribed } from '../services/mail/notifications/support.ts';
import { type Ask, by, control, good, person } from '../services/platform/support.ts';
import { onAnyStore } from '../support/jars.ts';
import { readerOf } from './console-readers-support.ts';

const CODE = '?code=s3cret';
const UC = '/api/2.1/unity-catalog';
const REDACTED = '[redacted]';

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

  it('recipients and installed listings show no activation links', async () => {
    const link = expect.stringContaining('/delta_sharing/retrieve_config.html?');
    await good(admin('POST', `${UC}/recipients`, { name: 'r', authentication_type: 'TOKEN' }));
    const [whole, shown] = await both(`${UC}/recipients/r`);
    expect(whole).toMatchObject({ activation_url: link, tokens: [{ activation_url: link }] });
    expect(shown).toMatchObject({ name: 'r', activated: false, tokens: [{ id: whole.tokens[0].id }] });
    const [all, seen] = await both(`${UC}/recipients`);
    expect(JSON.stringify(all)).toContain('activation_url');

    const { listing, installation } = await installedListing();
    const [installed, seenInstalled] = await both('/api/2.1/marketplace-consumer/installations');
    expect(installed.installations[0].tokens).toMatchObject([{ activation_url: link }]);
    const [own, seenOwn] = await both(`/api/2.1/marketplace-consumer/listings/${listing}/installations`);
    expect(own.installations).toMatchObject([{ id: installation.id }]);
    for (const answer of [shown, seen, seenInstalled, seenOwn])
      expect(JSON.stringify(answer)).not.toMatch(/activation_url|retrieve_config/);
  });

  /** A listing that the metastore has installed for an open recipient. */
  async function installedListing() {
    const url = 'https://weather.example';
    const company = { name: 'Weather', business_contact_email: 'sales@weather.example' };
    const links = { term_of_service_link: url, privacy_policy_link: url };
    const { id: provider_id } = await good(
      admin('POST', '/marketplace-provider/provider', { provider: { ...company, ...links } }),
    );
    await good(admin('POST', `${UC}/shares`, { name: 'weather' }));
    const summary = { name: 'Rain', listingType: 'STANDARD', provider_id, status: 'PUBLISHED' };
    const share = { name: 'weather', type: 'FULL' };
    const { listing_id: listing } = await good(
      admin('POST', '/marketplace-provider/listing', {
        listing: { summary: { ...summary, share }, detail: { description: 'Rain', cost: 'FREE' } },
      }),
    );
    await good(control(bench, 'PATCH', `platform/listings/${listing}`, { status: 'PUBLISHED' }));
    const { installation } = await good(
      admin('POST', `/api/2.1/marketplace-consumer/listings/${listing}/installations`, {
        recipient_type: 'DELTA_SHARING_RECIPIENT_TYPE_OPEN',
        accepted_consumer_terms: { version: '1' },
      }),
    );
    return { listing, installation };
  }

  it('a provider outside shows no bearer token', async () => {
    const profile = { shareCredentialsVersion: 1, endpoint: 'https://elsewhere.example', bearerToken: 's3cret' };
    const body = { name: 'outside', authentication_type: 'TOKEN', recipient_profile_str: JSON.stringify(profile) };
    await good(admin('POST', `${UC}/providers`, body));
    const [whole, shown] = await both(`${UC}/providers/outside`);
    const visible = { endpoint: 'https://elsewhere.example', share_credentials_version: 1 };
    expect(whole.recipient_profile).toEqual({ ...visible, bearer_token: 's3cret' });
    expect(shown.recipient_profile).toEqual(visible);
    const [, seen] = await both(`${UC}/providers`);
    expect(JSON.stringify(seen)).not.toContain('s3cret');
  });

  it('results of statements and files of providers show no links', async () => {
    const { id: warehouse_id } = await good(admin('POST', '/sql/warehouses', { name: 'w' }));
    await bench.jar.clock.advance('2m');
    const { statement_id: id } = await good(
      admin('POST', '/sql/statements', {
        warehouse_id,
        statement: 'SELECT 1',
        disposition: 'EXTERNAL_LINKS',
        format: 'CSV',
      }),
    );
    const link = expect.stringContaining('/api/2.0/sql/external-links/');
    const [whole, shown] = await both(`/sql/statements/${id}`);
    expect(whole.result.external_links).toMatchObject([{ row_count: 1, external_link: link }]);
    expect(shown.result.external_links).toMatchObject([{ row_count: 1 }]);
    const [chunk, seenChunk] = await both(`/sql/statements/${id}/result/chunks/0`);
    expect(chunk.external_links).toMatchObject([{ external_link: link }]);

    const { file_info: file, upload_url: upload } = await good(
      admin('POST', '/marketplace-provider/files', {
        file_parent: { file_parent_type: 'PROVIDER', parent_id: 'p' },
        marketplace_file_type: 'PROVIDER_ICON',
        mime_type: 'image/png',
      }),
    );
    const bytes = { method: 'PUT', headers: { 'content-type': 'application/octet-stream' }, body: 'icon' };
    expect((await fetch(upload, bytes)).status).toBeLessThan(300);
    const path = `/marketplace-provider/files/${file.id}`;
    const [wholeFile, seenFile] = await both(path);
    expect(wholeFile.file_info.download_link).toContain('/file-contents/');
    expect(seenFile.file_info).toMatchObject({ id: file.id, status: 'FILE_STATUS_PUBLISHED' });
    for (const answer of [shown, seenChunk, seenFile])
      expect(JSON.stringify(answer)).not.toMatch(/external-links\/|file-contents|download_link/);
  });

  it('temporary credentials and signed links are refused', async () => {
    for (const path of [
      ...['table', 'volume', 'path', 'service'].map((what) => `${UC}/temporary-${what}-credentials`),
      '/mlflow/unity-catalog/model-versions/generate-temporary-credentials',
      '/mlflow/artifacts/credentials-for-read',
      '/mlflow/artifacts/credentials-for-write',
      '/fs/create-download-url',
      '/fs/create-upload-part-urls',
      '/fs/create-resumable-upload-url',
      '/marketplace-provider/files',
    ])
      await refused('POST', path, {});
  });

  it('apps show no secret to readers; tokens of viewers see it, as in the real service', async () => {
    const keys = async (init: RequestInit): Promise<Record<string, string>> =>
      (await (await reader.ask('/_jar/keys', init)).json()) as Record<string, string>;
    const { lifecycle: full = '' } = await keys({ headers: { authorization: `Bearer ${bench.jar.adminKey}` } });
    const { lifecycle: readers = '' } = await keys({ headers: { cookie: reader.cookie } });
    const call = (token: string, path: string, body?: object) =>
      bench.call(body ? 'POST' : 'GET', `/v0.1${path}`, { token: null, headers: { 'x-api-token': token }, body });
    const me = (await good(call(full, '/user'))).name;
    const { app_secret: secret } = await good(
      call(full, '/apps', { display_name: 'Desk', name: 'desk', os: 'Android', platform: 'Java' }),
    );
    const { api_token: viewers } = await good(call(full, '/api_tokens', { description: 'v', scope: ['viewer'] }));
    for (const path of ['/apps', `/apps/${me}/desk`]) {
      const shown = async (token: string) => [await good(call(token, path))].flat().map((app) => app.app_secret);
      expect(await shown(full)).toEqual([secret]);
      expect(await shown(viewers)).toEqual([secret]);
      expect(await shown(readers)).toEqual([REDACTED]);
    }
  });
});
