import { beforeEach, expect, it } from 'vitest';
import { onBothStores } from '../../../support/jars.ts';
import { all, workspaceClient } from '../sdk.ts';
import { type Ask, control, good, person, refusal, withoutRates } from '../support.ts';

const UC = '/api/2.1/unity-catalog';
const PROVIDER = '/marketplace-provider';
const EXCHANGE = '/marketplace-exchange';
const CONSUMER = '/api/2.1/marketplace-consumer';

const COMPANY = {
  name: 'Weather Ltd',
  business_contact_email: 'sales@weather.example',
  term_of_service_link: 'https://weather.example/terms',
  privacy_policy_link: 'https://weather.example/privacy',
};

const TERMS = { accepted_consumer_terms: { version: '1' } };

onBothStores('data platform: marketplace', (bench) => {
  let ask: Ask;
  let provider: string;

  beforeEach(async () => {
    await bench.jar.reset();
    await withoutRates(bench);
    ask = await person(bench);
    ({ id: provider } = await good(ask('POST', `${PROVIDER}/provider`, { provider: COMPANY })));
    await good(ask('POST', `${UC}/shares`, { name: 'weather' }));
    const add = {
      action: 'ADD',
      data_object: { name: 'main.default', data_object_type: 'SCHEMA', shared_as: 'daily' },
    };
    await good(ask('PATCH', `${UC}/shares/weather`, { updates: [add] }));
  });

  const summary = (rest: object = {}) => ({
    name: 'Daily weather',
    listingType: 'STANDARD',
    provider_id: provider,
    share: { name: 'weather', type: 'FULL' },
    status: 'PUBLISHED',
    categories: ['CLIMATE_AND_ENVIRONMENT'],
    ...rest,
  });

  async function offer(
    rest: object = {},
    detail: object = { description: 'Rain and sun', cost: 'FREE' },
  ): Promise<string> {
    const listing = { summary: summary(rest), detail };
    return (await good(ask('POST', `${PROVIDER}/listing`, { listing }))).listing_id;
  }

  const publish = (id: string, status = 'PUBLISHED') =>
    good(control(bench, 'PATCH', `platform/listings/${id}`, { status }));

  /** Runs the calls inside with the workspace assigned to another metastore. */
  async function elsewhere<T>(inside: () => Promise<T>): Promise<T> {
    const { metastores } = await good(ask('GET', `${UC}/metastores`));
    const known = metastores.find(({ name }: { name: string }) => name === 'second');
    const second = known ?? (await good(ask('POST', `${UC}/metastores`, { name: 'second', region: 'westus2' })));
    const { workspace_id: workspace, metastore_id: before } = await good(
      ask('GET', `${UC}/current-metastore-assignment`),
    );
    const use = (metastore_id: string) =>
      good(ask('PUT', `${UC}/workspaces/${workspace}/metastore`, { metastore_id, default_catalog_name: 'main' }));
    await use(second.metastore_id);
    try {
      return await inside();
    } finally {
      await use(before);
    }
  }

  it('a listing is offered, reviewed, published, found, installed and removed', async () => {
    const client = workspaceClient(bench, { token: await bench.jar.token({ user: 'admin' }) });
    const id = await offer();
    expect((await good(ask('GET', `${PROVIDER}/listings/${id}`))).listing.summary.status).toBe('PENDING');
    expect(await all(client.consumerListings.list({}))).toEqual([]);
    expect((await ask('GET', `${CONSUMER}/listings/${id}`)).status).toBe(404);
    await publish(id);
    const [found] = await all(client.consumerListings.list({}));
    expect(found).toMatchObject({
      id,
      summary: { name: 'Daily weather', status: 'PUBLISHED', provider_id: provider, published_at: expect.any(Number) },
      detail: { description: 'Rain and sun' },
    });
    expect((await all(client.consumerProviders.list({}))).map(({ name }) => name)).toEqual(['Weather Ltd']);
    expect(await good(ask('GET', `${CONSUMER}/listings/${id}/content`))).toEqual({
      shared_data_objects: [{ name: 'daily', data_object_type: 'SCHEMA' }],
    });
    const installed = await elsewhere(async () => {
      const { installation } = await good(
        ask('POST', `${CONSUMER}/listings/${id}/installations`, { catalog_name: 'sky', ...TERMS }),
      );
      expect(installation).toMatchObject({
        listing_id: id,
        catalog_name: 'sky',
        share_name: 'weather',
        status: 'INSTALLED',
      });
      expect(await good(ask('GET', `${UC}/catalogs/sky`))).toMatchObject({
        catalog_type: 'DELTASHARING_CATALOG',
        share_name: 'weather',
      });
      const { providers } = await good(ask('GET', `${UC}/providers`));
      expect(await good(ask('GET', `${UC}/providers/${providers[0].name}/shares`))).toEqual({
        shares: [{ name: 'weather' }],
      });
      expect(await all(client.consumerInstallations.list({}))).toHaveLength(1);
      return installation.id;
    });
    expect((await good(ask('GET', `${CONSUMER}/installations`))).installations).toEqual([]);
    expect((await ask('DELETE', `${CONSUMER}/listings/${id}/installations/${installed}`)).status).toBe(404);
    await elsewhere(async () => {
      await good(ask('PATCH', `${UC}/catalogs/sky`, { new_name: 'rain' }));
      await good(ask('DELETE', `${CONSUMER}/listings/${id}/installations/${installed}`));
      expect((await ask('GET', `${UC}/catalogs/rain`)).status).toBe(404);
    });
    expect(refusal(await ask('DELETE', `${PROVIDER}/listings/${id}`))).toMatchObject({
      status: 400,
      code: 'INVALID_STATE',
    });
    await good(ask('PUT', `${PROVIDER}/listings/${id}`, { listing: { summary: summary({ status: 'DRAFT' }) } }));
    await good(ask('DELETE', `${PROVIDER}/listings/${id}`));
    await good(ask('DELETE', `${PROVIDER}/providers/${provider}`));
  });

  it('an open recipient gets a token, which can be changed', async () => {
    const id = await offer();
    await publish(id);
    const body = { recipient_type: 'DELTA_SHARING_RECIPIENT_TYPE_OPEN', ...TERMS };
    const { installation } = await good(ask('POST', `${CONSUMER}/listings/${id}/installations`, body));
    const link = installation.tokens[0].activation_url;
    const profile = await good(bench.call('GET', `${UC}/public/data_sharing_activation/${link.split('?')[1]}`, {}));
    const shares = () =>
      bench.call('GET', '/delta-sharing/shares', { headers: { authorization: `Bearer ${profile.bearerToken}` } });
    expect((await good(shares())).items.map(({ name }: { name: string }) => name)).toEqual(['weather']);
    const path = `${CONSUMER}/listings/${id}/installations/${installation.id}`;
    const { installation: rotated } = await good(ask('PUT', path, { installation: {}, rotate_token: true }));
    expect(rotated.tokens).toHaveLength(1);
    expect((await shares()).status).toBe(401);
    await good(ask('DELETE', path));
    expect((await good(ask('GET', `${UC}/recipients`))).recipients).toEqual([]);
  });

  it('a paid or personalized listing is available on request', async () => {
    const id = await offer({ listingType: 'PERSONALIZED' });
    await publish(id);
    const { fulfillments } = await good(ask('GET', `${CONSUMER}/listings/${id}/fulfillments`));
    expect(fulfillments[0].fulfillment_type).toBe('REQUEST_ACCESS');
    const install = () => ask('POST', `${CONSUMER}/listings/${id}/installations`, { catalog_name: 'asked', ...TERMS });
    expect(refusal(await install())).toMatchObject({ status: 403, code: 'PERMISSION_DENIED' });
    const requests = `${CONSUMER}/listings/${id}/personalization-requests`;
    expect((await ask('POST', requests, { ...TERMS })).status).toBe(400);
    const { id: request } = await good(
      ask('POST', requests, { intended_use: 'research', first_name: 'Ada', ...TERMS }),
    );
    expect(refusal(await ask('POST', requests, { intended_use: 'more', ...TERMS }))).toMatchObject({ status: 400 });
    const { personalization_requests: seen } = await good(ask('GET', `${PROVIDER}/personalization-requests`));
    expect(seen).toEqual([expect.objectContaining({ id: request, status: 'NEW', intended_use: 'research' })]);
    const answer = `${PROVIDER}/listings/${id}/personalization-requests/${request}/request-status`;
    await good(ask('PUT', answer, { status: 'FULFILLED', share: { name: 'weather', type: 'FULL' } }));
    expect((await good(ask('GET', requests))).personalization_requests[0].status).toBe('FULFILLED');
    expect((await good(install())).installation.share_name).toBe('weather');
  });

  it('a private listing is shown in the exchanges that it is in', async () => {
    const id = await offer({ setting: { visibility: 'PRIVATE' } });
    expect((await good(ask('GET', `${PROVIDER}/listings/${id}`))).listing.summary.status).toBe('PUBLISHED');
    const { exchange_id: exchange } = await good(
      ask('POST', `${EXCHANGE}/exchanges`, { exchange: { name: 'friends' } }),
    );
    const { exchange_for_listing: link } = await good(
      ask('POST', `${EXCHANGE}/exchanges-for-listing`, { exchange_id: exchange, listing_id: id }),
    );
    const seen = async () => (await good(ask('GET', `${CONSUMER}/listings`))).listings.length;
    const global = async () => (await good(ask('GET', `${UC}/metastore_summary`))).global_metastore_id;
    const second = await elsewhere(global);
    expect(await elsewhere(seen)).toBe(0);
    const filter = { exchange_id: exchange, filter_type: 'GLOBAL_METASTORE_ID', filter_value: second };
    const { filter_id: filterId } = await good(ask('POST', `${EXCHANGE}/filters`, { filter }));
    expect([await elsewhere(seen), await seen()]).toEqual([1, 0]);
    expect((await good(ask('GET', `${EXCHANGE}/exchanges/${exchange}`))).exchange).toMatchObject({
      name: 'friends',
      filters: [{ id: filterId, filter_value: second }],
      linked_listings: [{ id: link.id, listing_id: id, listing_name: 'Daily weather' }],
    });
    await good(ask('DELETE', `${EXCHANGE}/filters/${filterId}`));
    expect(await elsewhere(seen)).toBe(0);
    await good(ask('DELETE', `${EXCHANGE}/exchanges-for-listing/${link.id}`));
    expect(
      (await good(ask('GET', `${EXCHANGE}/listings-for-exchange?exchange_id=${exchange}`))).exchange_listings,
    ).toEqual([]);
    await good(ask('DELETE', `${EXCHANGE}/exchanges/${exchange}`));
  });

  it('listings are filtered by their fields, and searched by words', async () => {
    const free = await offer();
    const paid = await offer(
      { name: 'Stock prices', categories: ['FINANCIAL'] },
      { cost: 'PAID', assets: ['ASSET_TYPE_MODEL'] },
    );
    for (const id of [free, paid]) await publish(id);
    const ids = async (query: string) =>
      (await good(ask('GET', `${CONSUMER}/${query}`))).listings.map(({ id }: { id: string }) => id);
    expect(await ids('listings?is_free=true')).toEqual([free]);
    expect(await ids('listings?is_free=false')).toEqual([paid]);
    expect(await ids('listings?categories=FINANCIAL')).toEqual([paid]);
    expect(await ids('listings?assets=ASSET_TYPE_MODEL')).toEqual([paid]);
    expect(await ids(`listings?provider_ids=${provider}`)).toHaveLength(2);
    expect(await ids('listings?provider_ids=none')).toEqual([]);
    expect(await ids('listings?is_private_exchange=true')).toEqual([]);
    expect(await ids('search-listings?query=stock')).toEqual([paid]);
    expect(await ids('search-listings?query=rain')).toEqual([free]);
    expect(await ids(`listings:batchGet?ids=${free}&ids=missing`)).toEqual([free]);
    expect((await ask('GET', `${CONSUMER}/search-listings`)).status).toBe(400);
    await publish(paid, 'SUSPENDED');
    expect(await ids('listings')).toEqual([free]);
    const listing = { summary: summary({ status: 'PUBLISHED' }) };
    expect(refusal(await ask('PUT', `${PROVIDER}/listings/${paid}`, { listing }))).toMatchObject({
      code: 'INVALID_STATE',
    });
  });

  it('files are uploaded to a link and read by one', async () => {
    const parent = { file_parent_type: 'PROVIDER', parent_id: provider };
    const body = {
      file_parent: parent,
      marketplace_file_type: 'PROVIDER_ICON',
      mime_type: 'image/png',
      display_name: 'i',
    };
    const { file_info: file, upload_url: url } = await good(ask('POST', `${PROVIDER}/files`, body));
    expect(file.status).toBe('FILE_STATUS_STAGING');
    const send = (bytes: Buffer<ArrayBuffer>) =>
      fetch(bench.jar.url + new URL(url).pathname, { method: 'PUT', body: bytes });
    expect((await send(Buffer.alloc(10 * 1024 * 1024 + 1))).status).toBe(400);
    expect((await send(Buffer.from('picture'))).status).toBe(200);
    const query = 'file_parent.file_parent_type=PROVIDER&file_parent.parent_id=';
    const { file_infos: files } = await good(ask('GET', `${PROVIDER}/files?${query}${provider}`));
    expect(files).toEqual([expect.objectContaining({ id: file.id, status: 'FILE_STATUS_PUBLISHED' })]);
    const download = () => fetch(bench.jar.url + new URL(files[0].download_link).pathname);
    const got = await download();
    expect([await got.text(), got.headers.get('content-disposition')]).toEqual(['picture', 'attachment']);
    await bench.jar.clock.advance('1h');
    expect((await download()).status).toBe(403);
    await good(ask('DELETE', `${PROVIDER}/files/${file.id}`));
  });

  it('wrong listings are refused, and the provider side is for administrators', async () => {
    const create = (body: object) => ask('POST', `${PROVIDER}/listing`, { listing: body });
    for (const body of [
      {},
      { summary: { name: 'x' } },
      { summary: summary({ listingType: 'OTHER' }) },
      { summary: summary({ provider_id: undefined }) },
      { summary: summary({ categories: ['NOTHING'] }) },
      { summary: summary({ share: undefined }) },
      { summary: summary(), detail: { cost: 'CHEAP' } },
      { summary: 'text' },
    ])
      expect((await create(body)).status, JSON.stringify(body)).toBe(400);
    expect((await create({ summary: summary({ provider_id: 'missing' }) })).status).toBe(404);
    expect((await create({ summary: summary({ share: { name: 'missing', type: 'FULL' } }) })).status).toBe(404);
    const other = await person(bench, 'licensed');
    expect((await other('GET', `${PROVIDER}/listings`)).status).toBe(403);
    expect((await other('GET', `${CONSUMER}/listings`)).status).toBe(200);
    const id = await offer();
    await publish(id);
    const body = { catalog_name: 'x', ...TERMS };
    expect((await other('POST', `${CONSUMER}/listings/${id}/installations`, body)).status).toBe(403);
    expect(refusal(await ask('DELETE', `${PROVIDER}/providers/${provider}`))).toMatchObject({ code: 'INVALID_STATE' });
  });

  it('the analytics dashboard is a record', async () => {
    const path = `${PROVIDER}/analytics_dashboard`;
    expect((await ask('GET', path)).status).toBe(404);
    const { id } = await good(ask('POST', path));
    expect((await ask('POST', path)).status).toBe(400);
    expect(await good(ask('GET', `${path}/latest`))).toEqual({ version: 1 });
    expect(await good(ask('PUT', `${path}/${id}`, { version: 2 }))).toMatchObject({ id, version: 2 });
  });
});
