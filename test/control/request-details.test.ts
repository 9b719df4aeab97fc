import { expect, it } from 'vitest';
import {
  event,
  makeTopic,
  publish,
  subscribe,
  VERSION as TOPICS,
  webHook,
} from '../services/events/delivering/grid.ts';
import { type Bench, OTHER_SUBSCRIPTION, onAnyStore, SUBSCRIPTION } from '../support/jars.ts';
import type { Shown } from './requests-support.ts';

const GROUPS = `/subscriptions/${SUBSCRIPTION}/resourceGroups`;
const VERSION = 'api-version=2022-12-01';

const TENANT = '10000000-0000-4000-8000-000000000001';
const APP = '10000000-0000-4000-8000-0000000000a1';

function tools(bench: Bench) {
  const control = (method: string, path: string, body?: unknown) =>
    bench.call(method, `/_jar${path}`, { token: bench.jar.adminKey, body });
  const latest = async (query: string): Promise<string> => {
    const { body } = await control('GET', `/requests?$top=1&${query}`);
    return body.value[0].id;
  };
  const detail = async (query: string): Promise<Shown> => {
    const answer = await control('GET', `/requests/${await latest(query)}`);
    expect(answer.status, answer.text).toBe(200);
    return answer.body;
  };
  return { control, latest, detail };
}

onAnyStore('details of a request', (bench) => {
  const { control, latest, detail } = tools(bench);
  const putGroup = (name: string, options: { headers?: Record<string, string>; token?: string; tags?: object } = {}) =>
    bench.call('PUT', `${GROUPS}/${name}?${VERSION}`, {
      body: { location: 'westus', ...(options.tags && { tags: options.tags }) },
      ...options,
    });

  it('shows headers and bodies of request and answer over HTTPS, and sends it again to the same port', async () => {
    const address = `${bench.jar.httpsUrl}${GROUPS}/secure?${VERSION}`;
    const made = await bench.call('PUT', address, { body: { location: 'westus' }, headers: { 'x-mine': 'yes' } });
    expect(made.status).toBe(201);
    const shown = await detail('path=*/secure');
    expect(shown).toMatchObject({
      method: 'PUT',
      status: 201,
      request: {
        headers: { 'x-mine': 'yes', 'content-type': 'application/json', authorization: '[redacted]' },
        body: '{"location":"westus"}',
        bodyBytes: 21,
      },
      response: { headers: { 'x-ms-request-id': shown.requestId }, body: made.text },
    });
    const again = await control('POST', `/requests/${shown.id}/send`);
    expect(again).toMatchObject({ status: 200, body: { status: 200, ms: expect.any(Number) } });
    const repetition = await control('GET', `/requests/${again.body.id}`);
    expect(repetition.body).toMatchObject({
      repeats: shown.id,
      requestId: again.body.requestId,
      path: shown.path,
      caller: shown.caller,
      request: { body: shown.request.body, headers: { host: shown.request.headers.host } },
    });
    expect((await control('GET', `/requests?$filter=repeats eq '${shown.id}'`)).body.value).toHaveLength(1);
  });

  it('sends a GET again, a repetition again, and a request of a health check that is not listed', async () => {
    await bench.call('GET', `${GROUPS}?${VERSION}`);
    const id = await latest('path=*/resourceGroups');
    const first = await control('POST', `/requests/${id}/send`, { token: 'original' });
    expect(first.body).toMatchObject({ status: 200 });
    const second = await control('POST', `/requests/${first.body.id}/send`);
    expect((await control('GET', `/requests/${second.body.id}`)).body.repeats).toBe(first.body.id);
    await bench.call('GET', '/_jar/metrics', { token: 'wrong' });
    const refused = await control('POST', `/requests/${await latest('path=/_jar/metrics')}/send`);
    expect(refused.body).toMatchObject({ status: 403, id: expect.any(String) });
  });

  it('replaces an expired token by a new one of the same caller, but only if that is wanted', async () => {
    const token = await bench.jar.token({ ttl: '1h' });
    await putGroup('aging', { token });
    await bench.jar.clock.advance('2h');
    const id = await latest('path=*/aging');
    const expired = await control('POST', `/requests/${id}/send`);
    expect(expired.body).toMatchObject({ status: 401 });
    const fresh = await control('POST', `/requests/${id}/send`, { token: 'fresh' });
    expect(fresh.body).toMatchObject({ status: 200 });
    const { body } = await control('GET', `/requests/${fresh.body.id}`);
    expect(body).toMatchObject({ caller: 'admin@vendor.example' });
    // A request that was refused because its token had expired.
    await bench.call('GET', `${GROUPS}/aging?${VERSION}`, { token });
    const refused = await latest('path=*/aging&method=GET');
    const renewed = await control('POST', `/requests/${refused}/send`, { token: 'fresh' });
    expect(renewed.body).toMatchObject({ status: 200 });
  });

  it('keeps the tenant and the rights of the caller', async () => {
    const token = await bench.jar.token({ user: 'other' });
    const path = `/subscriptions/${SUBSCRIPTION}?${VERSION}`;
    const original = await bench.call('GET', path, { token });
    expect(original.status).toBeGreaterThanOrEqual(401);
    const id = await latest(`path=/subscriptions/${SUBSCRIPTION}`);
    for (const which of ['original', 'fresh']) {
      const again = await control('POST', `/requests/${id}/send`, { token: which });
      expect(again.body.status).toBe(original.status);
    }
    const own = await bench.call('GET', `/subscriptions/${OTHER_SUBSCRIPTION}?${VERSION}`, { token });
    expect(own.status).toBe(200);
  });

  it.each([
    ['no token', null],
    ['a token that the jar has not issued', 'eyJhbGciOiJSUzI1NiJ9.e30.AAAA'],
  ])('has no new token for a request with %s', async (_, token) => {
    await bench.call('GET', `${GROUPS}/tokenless?${VERSION}`, { token });
    const answer = await control('POST', `/requests/${await latest('path=*/tokenless')}/send`, { token: 'fresh' });
    expect(answer).toMatchObject({ status: 409, body: { error: { code: 'NoFreshToken', target: 'token' } } });
  });

  it('cuts long bodies, and refuses to send them again', async () => {
    const long = `x${'é'.repeat(20_000)}`;
    const made = await putGroup('long', { tags: { long } });
    const { id, request, response } = await detail('path=*/long');
    expect(request).toMatchObject({ bodyCut: true, bodyBytes: 40_041 });
    expect(request.body).toMatch(/"long":"xé+$/);
    expect(made.status).toBe(400);
    expect(response).not.toHaveProperty('bodyCut');
    const again = await control('POST', `/requests/${id}/send`);
    expect(again).toMatchObject({ status: 409, body: { error: { code: 'NotRepeatable' } } });
    expect(again.body.error.message).toContain('only the beginning of its body of 40041 bytes is kept');
  });

  it('shows of binary bodies and of streams only their size', async () => {
    const bytes = '\u0000\u0001binary';
    const headers = { 'content-type': 'application/octet-stream' };
    await bench.call('POST', '/_jar/inbox/details', { token: null, headers, body: bytes });
    const { id, request } = await detail('path=/_jar/inbox/details');
    expect(request).toEqual({ headers: expect.anything(), bodyBytes: 8, bodyOmitted: 'binary' });
    expect((await control('POST', `/requests/${id}/send`)).body.status).toBe(200);
    const inbox = (await control('GET', '/inbox/details/requests')).body.value;
    expect(inbox.map(({ body }: Shown) => body)).toEqual([bytes, bytes]);
    await control('PUT', '/snapshots/details/content', 'not a snapshot');
    const imported = await detail('path=/_jar/snapshots/details/content');
    expect(imported.request).toMatchObject({ bodyOmitted: 'stream', bodyBytes: 14 });
    const refused = await control('POST', `/requests/${imported.id}/send`);
    expect(refused.body.error).toMatchObject({ code: 'NotRepeatable', message: expect.stringContaining('a stream') });
  });

  it('does not know a body that was refused before it was read', async () => {
    await bench.call('PUT', `${GROUPS}/unread?${VERSION}`, { token: null, body: { location: 'westus' } });
    const { id, request } = await detail('path=*/unread');
    expect(request).toMatchObject({ bodyOmitted: 'unread', bodyBytes: 21 });
    expect((await control('POST', `/requests/${id}/send`)).status).toBe(409);
  });

  it('shows an answer that a fault rule has dropped as one without a status, and repeats it', async () => {
    const match = { path: `${GROUPS}/lost` };
    await control('POST', '/faults', { match, effect: { drop: true }, count: 2 });
    await bench.call('GET', `${GROUPS}/lost?${VERSION}`).catch(() => {});
    const shown = await detail('path=*/lost');
    expect(shown).not.toHaveProperty('response');
    const again = await control('POST', `/requests/${shown.id}/send`);
    expect(again.body).not.toHaveProperty('status');
    expect((await control('GET', `/requests/${again.body.id}`)).body).toMatchObject({ error: { code: 'Dropped' } });
  });

  it('points to the delivery of an outbound message', async () => {
    const topic = await makeTopic(bench, 'outbound');
    const inbox = bench.jar.inbox('outbound');
    await subscribe(bench, topic.id, 'outbound', { destination: webHook(`${inbox.httpsUrl}/hook`) });
    await publish(bench, topic, event());
    await bench.jar.settled();
    const { id, delivery, ...shown } = await detail('direction=outbound&service=events');
    expect(shown).not.toHaveProperty('request');
    const again = await control('POST', `/requests/${id}/send`);
    expect(again).toMatchObject({ status: 409, body: { error: { code: 'OutboundEntry' } } });
    expect(again.body.error.message).toContain(`/_jar/deliveries/${delivery.id}/replay`);
  });

  it('distinguishes unknown ids from those of another process', async () => {
    const known = await latest('');
    const [run] = known.split('-');
    for (const [id, code] of [
      ['nothing', 'RequestNotFound'],
      [`${run}-000000000000`, 'RequestNotFound'],
      [`${run}-000099999999`, 'RequestNotFound'],
      ['abc123-000000000001', 'RequestOfOtherProcess'],
    ]) {
      expect((await control('GET', `/requests/${id}`)).body.error).toMatchObject({ code });
      expect(await control('POST', `/requests/${id}/send`)).toMatchObject({ status: 404, body: { error: { code } } });
    }
    for (const [method, path] of [
      ['GET', `/_jar/requests/${known}`],
      ['POST', `/_jar/requests/${known}/send`],
    ] as const)
      expect((await bench.call(method, path, { token: null })).status).toBe(401);
    expect((await control('POST', `/requests/${known}/send`, { token: 'any' })).status).toBe(400);
  });

  it('never shows a secret of these routes', async () => {
    const topic = await makeTopic(bench, 'keys');
    const keys = (await bench.call('POST', `${topic.id}/listKeys?${TOPICS}`)).body;
    const token = (await control('POST', '/tokens', { user: 'admin' })).body.access_token;
    const services = Object.values((await control('GET', '/keys')).body);
    const chosen = 'a-translator-key-of-the-user-0123';
    expect((await control('PUT', '/translator/keys/mine', { key: chosen })).status).toBeLessThan(300);
    const { AZURE_CLIENT_SECRET: secret = '' } = bench.jar.env();
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: APP,
      client_secret: secret,
      scope: 'https://management.azure.com/.default',
    });
    const oauth = `/${TENANT}/oauth2/v2.0/token`;
    const issued = await bench.call('POST', oauth, {
      token: null,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: String(form),
    });
    expect(issued.status, issued.text).toBe(200);
    const page = await bench.call('GET', `/${TENANT}/oauth2/v2.0/authorize?client_id=${APP}`, { token: null });
    const secrets = [keys.key1, keys.key2, token, ...services, chosen, secret, issued.body.access_token, page.text];
    expect(secrets.filter((each) => typeof each !== 'string' || each.length < 12)).toEqual([]);
    const listed = (await control('GET', '/requests?$top=1000&direction=inbound')).body.value;
    const shown = await Promise.all(listed.map(({ id }: Shown) => control('GET', `/requests/${id}`)));
    const text = shown.map((each) => each.text).join('\n');
    expect(secrets.filter((each) => text.includes(JSON.stringify(each).slice(1, -1)))).toEqual([]);
    expect(text).not.toContain(bench.jar.adminKey);
    const asked = await detail(`path=${oauth}`);
    expect(asked.request.body).toContain('grant_type=client_credentials');
    expect(asked.request.body).toContain('client_secret=[redacted]');
    expect(asked.response.body).toContain('"token_type":"Bearer"');
    expect((await detail('path=/_jar/keys')).response).toMatchObject({ bodyOmitted: 'secret' });
    expect((await detail('path=*/listKeys')).response.body).toBe('{"key1":"[redacted]","key2":"[redacted]"}');
  });
});
