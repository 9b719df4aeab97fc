import { describe, expect, it } from 'vitest';
import { event, makeTopic, publish, subscribe, webHook } from '../services/events/delivering/grid.ts';
import { onAnyStore, SUBSCRIPTION } from '../support/jars.ts';
import { openStream, type Shown } from './requests-support.ts';

const GROUPS = `/subscriptions/${SUBSCRIPTION}/resourceGroups`;
const VERSION = 'api-version=2022-12-01';

onAnyStore('recent requests', (bench) => {
  const list = async (query = ''): Promise<Shown[]> => {
    const answer = await bench.call('GET', `/_jar/requests${query}`, { token: bench.jar.adminKey });
    expect(answer.status, answer.text).toBe(200);
    return answer.body.value;
  };
  const putGroup = (name: string, headers: Record<string, string> = {}) =>
    bench.call('PUT', `${GROUPS}/${name}?${VERSION}`, { body: { location: 'westus' }, headers });

  it('shows a request with who asked, what came of it, its sizes and its ids, live and in the list', async () => {
    const stream = await openStream(bench);
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const made = await putGroup('demo', { 'x-ms-client-request-id': 'mine-1', traceparent });
    const [live] = await stream.take(1);
    stream.close();
    expect(live).toMatchObject({
      event: 'request',
      direction: 'inbound',
      service: 'resources',
      operation: 'ResourceGroups_CreateOrUpdate',
      method: 'PUT',
      path: `${GROUPS}/demo?${VERSION}`,
      status: 201,
      ms: expect.any(Number),
      requestBytes: 21,
      answerBytes: Buffer.byteLength(made.text),
      caller: 'admin@vendor.example',
      requestId: made.headers.get('x-ms-request-id'),
      clientRequestId: 'mine-1',
      traceparent,
    });
    expect(Date.parse(live.at)).toBe(bench.jar.clock.now().getTime());
    expect(Math.abs(Date.parse(live.systemAt) - Date.now())).toBeLessThan(600_000);
    const { event: _, ...entry } = live;
    expect((await list())[0]).toEqual(entry);
  });

  it('shows the error of a request, and omits requests for the list and health checks', async () => {
    const stream = await openStream(bench);
    await bench.call('GET', '/_jar/health', { token: null });
    await bench.call('GET', '/_jar/metrics', { token: bench.jar.adminKey });
    await list();
    await bench.call('GET', `${GROUPS}/missing?${VERSION}`);
    const [shown] = await stream.take(1);
    expect(shown).toMatchObject({
      status: 404,
      error: { code: 'ResourceGroupNotFound', message: expect.stringContaining("'missing'") },
    });
    stream.close();
  });

  it('shows a handshake by OPTIONS, and no preflight of a browser', async () => {
    const stream = await openStream(bench, '?method=OPTIONS');
    const asked = { origin: 'https://page.example', 'access-control-request-method': 'GET' };
    expect((await bench.call('OPTIONS', '/v1.0/me', { token: null, headers: asked })).status).toBe(204);
    const handshake = { 'webhook-request-origin': 'sender.example' };
    await bench.call('OPTIONS', '/_jar/inbox/shaken', { token: null, headers: handshake });
    expect((await stream.take(1))[0]).toMatchObject({ path: '/_jar/inbox/shaken', status: 200 });
    stream.close();
  });

  it('hides credentials in paths: invitations everywhere, links on routes that need nothing else', async () => {
    const receipt = '/v0.1/user/dsr/export/receipt-of-an-export';
    const answers = '/v0.1/user/invitations';
    const links = ['/v0.1/public/exports', '/api/2.0/sql/external-links', '/api/2.0/mlflow-artifacts/signed'];
    await bench.call('GET', receipt, { token: null });
    for (const path of links) await bench.call('GET', `${path}/s3cret`, { token: null });
    const accepted = ['apps', 'orgs'].flatMap((of) => ['accept', 'reject'].map((verb) => [of, verb]));
    for (const [of, verb] of accepted) await bench.call('POST', `${answers}/${of}/s3cret/${verb}`, { token: null });
    // Decoded, the parameter is the same.
    await bench.call('POST', `${answers}/apps/s3cr%65t/accept?a=b`, { token: null });
    const paths = (await list('?$top=9')).map(({ path }) => path);
    expect(paths.reverse()).toEqual([
      receipt,
      ...links.map((path) => `${path}/[redacted]`),
      ...accepted.map(([of, verb]) => `${answers}/${of}/[redacted]/${verb}`),
      `${answers}/apps/[redacted]/accept?a=b`,
    ]);
  });

  it('names the fault rule that applied, even if there was no answer', async () => {
    const add = async (effect: object): Promise<string> => {
      const body = { match: { path: `${GROUPS}/struck` }, effect, count: 1 };
      return (await bench.call('POST', '/_jar/faults', { token: bench.jar.adminKey, body })).body.id;
    };
    const stream = await openStream(bench, `?path=${GROUPS}/struck`);
    const refused = await add({ status: 503 });
    await bench.call('GET', `${GROUPS}/struck?${VERSION}`);
    const dropped = await add({ drop: true });
    await bench.call('GET', `${GROUPS}/struck?${VERSION}`).catch(() => {});
    const [first, second] = await stream.take(2);
    expect(first).toMatchObject({ status: 503, fault: refused, error: { code: expect.any(String) } });
    expect(second).toMatchObject({ fault: dropped, error: { code: 'Dropped' } });
    expect(second).not.toHaveProperty('status');
    stream.close();
  });

  it('shows each attempt of a delivery: address, outcome, and time of the next attempt', async () => {
    const topic = await makeTopic(bench, 'watched');
    const inbox = bench.jar.inbox('watched');
    await subscribe(bench, topic.id, 'watched', { destination: webHook(`${inbox.httpsUrl}/hook?code=s3cret`) });
    await inbox.respond({ status: 503 });
    const stream = await openStream(bench, '?direction=outbound&service=events');
    await publish(bench, topic, event());
    await bench.jar.settled();
    const [failed] = await stream.take(1);
    expect(failed).toMatchObject({
      event: 'delivery',
      direction: 'outbound',
      method: 'POST',
      target: `${inbox.httpsUrl}/hook`,
      status: 503,
      requestBytes: expect.any(Number),
      error: { code: 'Busy' },
      delivery: { attempt: 1, deliveries: 1, outcome: 'Busy', policy: 'events.webhook' },
    });
    await inbox.respond({});
    const { nextAt } = failed.delivery;
    await bench.jar.clock.advance(Date.parse(nextAt) - bench.jar.clock.now().getTime());
    const [delivered] = await stream.take(1);
    expect(delivered).toMatchObject({
      status: 200,
      delivery: { id: failed.delivery.id, attempt: 2, outcome: 'Succeeded' },
    });
    expect(delivered.delivery).not.toHaveProperty('nextAt');
    expect(delivered).not.toHaveProperty('error');
    stream.close();
  });

  describe('are filtered, as a list and live,', () => {
    it.each([
      ['?method=delete', ['DELETE 404']],
      ['?status=404', ['GET 404', 'DELETE 404']],
      ['?status=4xx', ['GET 404', 'DELETE 404']],
      ['?status=>=400', ['GET 404', 'DELETE 404']],
      ['?status=<300', ['PUT 201', 'GET 200']],
      ['?status=2xx&method=GET', ['GET 200']],
      ['?status=none', []],
      ['?direction=outbound', []],
      ['?service=events', []],
    ])('by %s', async (query, expected) => {
      const name = `f${query.replace(/\W/g, '-')}`;
      const path = `path=*/resourceGroups/${name}*`;
      const stream = await openStream(bench, `${query}&${path}`);
      await putGroup(name);
      await bench.call('GET', `${GROUPS}/${name}?${VERSION}`);
      await bench.call('GET', `${GROUPS}/${name}-not?${VERSION}`);
      await bench.call('DELETE', `${GROUPS}/${name}-not?${VERSION}`);
      const lineOf = ({ method, status }: Shown): string => `${method} ${status}`;
      const listed = await list(`${query}&${path}`);
      expect(listed.map(lineOf).toReversed()).toEqual(expected);
      if (expected.length > 0) expect((await stream.take(expected.length)).map(lineOf)).toEqual(expected);
      stream.close();
    });

    it.each([
      ['service=resource', 'service', /did you mean resources/],
      ['service=nothing-like-it', 'service', /there are .*control/],
      ['status=4x', 'status', /404, 4xx, >=400 or none/],
      ['status=9xx', 'status', /is not a status/],
      ['path=subscriptions', 'path', /must begin with/],
      ['method=GET%20x', 'method', /a word such as GET/],
    ])('and a mistake is told: %s', async (query, target, message) => {
      for (const path of ['requests', 'requests/live']) {
        const { status, body } = await bench.call('GET', `/_jar/${path}?${query}`, { token: bench.jar.adminKey });
        expect({ status, ...body.error }).toMatchObject({ status: 400, code: 'BadFilter', target });
        expect(body.error.message).toMatch(message);
      }
    });
  });

  describe('the stream', () => {
    it('starts with the last matching entries, and resumes after the last one that was seen', async () => {
      for (const name of ['l1', 'l2', 'l3']) await putGroup(name);
      await bench.call('GET', `${GROUPS}?${VERSION}`);
      const stream = await openStream(bench, '?last=2&method=PUT');
      const names = (entries: Shown[]): string[] => entries.map(({ path }) => path.split(/[/?]/).at(-2));
      expect(names(await stream.take(2))).toEqual(['l2', 'l3']);
      const seen = stream.lastId();
      stream.close();
      await putGroup('l4');
      const resumed = await openStream(bench, '?last=5&method=PUT', { 'last-event-id': seen });
      expect(names(await resumed.take(1))).toEqual(['l4']);
      resumed.close();
      const [first] = await list('?$top=1&$orderby=id');
      const all = await openStream(bench, '?from=start');
      expect((await all.take(1))[0].id).toBe(first.id);
      all.close();
    });

    it('resumes for a reader that was shown nothing yet', async () => {
      const stream = await openStream(bench, '?method=PUT');
      const id = stream.lastId();
      stream.close();
      await putGroup('later');
      const resumed = await openStream(bench, '?method=PUT', { 'last-event-id': id });
      expect((await resumed.take(1))[0].path).toContain('/later');
      resumed.close();
    });

    it('shows everything to a client that has seen another process of the jar', async () => {
      await putGroup('restarted');
      const stream = await openStream(bench, '', { 'last-event-id': 'abc123-000000999999' });
      const [oldest] = await list('?$top=1&$orderby=id');
      expect((await stream.take(1))[0].id).toBe(oldest.id);
      stream.close();
    });

    it('refuses a place that was not given out, and two beginnings', async () => {
      await expect(openStream(bench, '', { 'last-event-id': '17' })).rejects.toThrow(/400 .*BadEventId/);
      await expect(openStream(bench, '?from=start&last=3')).rejects.toThrow(/400 .*TwoBeginnings/);
      await expect(openStream(bench, '?last=-1')).rejects.toThrow(/400 .*InvalidQuery/);
      await expect(openStream(bench, '?colour=red')).rejects.toThrow(/400 .*InvalidQuery/);
    });

    it('is for the holder of the admin key', async () => {
      for (const path of ['requests', 'requests/live']) {
        expect((await bench.call('GET', `/_jar/${path}`, { token: null })).status).toBe(401);
        expect((await bench.call('GET', `/_jar/${path}`, { token: 'wrong-key' })).status).toBe(403);
      }
    });
  });
});
