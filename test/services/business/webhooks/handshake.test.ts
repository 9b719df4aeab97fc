import type { ServerResponse } from 'node:http';
import { beforeEach, expect, it } from 'vitest';
import type { Received } from '../../../kernel/delivery/receivers.ts';
import { onAnyStore } from '../benches.ts';
import { errorOf } from '../support.ts';
import { agreeing, control, openWebhooks, PLAIN_HTTP, receiversOf, tokenOf, type Webhooks } from './support.ts';

type Saying = (token: string, response: ServerResponse) => void;

const says =
  (body: (token: string) => string, status = 200): Saying =>
  (token, response) => {
    response.statusCode = status;
    response.end(body(token));
  };

onAnyStore(
  'the handshake of a webhook subscription',
  (bench) => {
    let hooks: Webhooks;
    beforeEach(async () => {
      hooks ??= await openWebhooks(bench);
    });
    const receiver = receiversOf();
    const answering = (saying: Saying) => receiver(({ path }: Received, response) => saying(tokenOf(path), response));
    const subscribe = (notificationUrl: string) =>
      hooks.subscribe({ notificationUrl, resource: hooks.resource('customers') });
    const handshakes = async () => {
      const { body } = await control(bench, 'GET', 'deliveries?policy=business.handshake&$orderby=id desc');
      return body.value;
    };

    it('is a POST without a body, with the token added to the existing query', async () => {
      const { url, received } = await receiver(agreeing);
      expect((await subscribe(`${url}/hook?code=a%20b&x`)).status).toBe(201);
      expect(received).toHaveLength(1);
      expect(received[0]).toMatchObject({ method: 'POST', body: '' });
      expect(received[0]?.path).toMatch(/^\/hook\?code=a%20b&x&validationToken=[0-9a-f-]{36}$/);
      const [shown] = await handshakes();
      expect(shown).toMatchObject({
        state: 'delivered',
        rule: '200 with the validation token',
        address: `${url}/hook`,
      });
    });

    it.each<[string, Saying]>([
      ['the token', says((token) => token)],
      ['the token in quotes', says((token) => `"${token}"`)],
      ['the token between white space', says((token) => `\r\n ${token}\n`)],
    ])('succeeds with 200 and %s', async (_, saying) => {
      const { url } = await answering(saying);
      expect((await subscribe(url)).status).toBe(201);
    });

    it.each<[string, Saying, string]>([
      ['201 and the token', says((token) => token, 201), 'it answered 201, and only 200 is accepted'],
      ['202 and the token', says((token) => token, 202), 'it answered 202'],
      ['204', says(() => '', 204), 'it answered 204'],
      ['404', says(() => 'no such thing', 404), 'it answered 404'],
      ['500', says(() => '', 500), 'it answered 500'],
      ['200 and nothing', says(() => ''), 'without the validation token'],
      [
        '200 and another token',
        says((token) => token.toUpperCase().replace(/./, 'x')),
        'something else than the validation token',
      ],
      ['200 and more than the token', says((token) => `token: ${token}`), 'something else than the validation token'],
      [
        'a redirect to somebody who would agree',
        (_, response) => {
          response.statusCode = 307;
          response.setHeader('location', '/elsewhere');
          response.end();
        },
        'it answered 307, and redirects are not followed',
      ],
      [
        'a connection that ends without an answer',
        (_, response) => response.destroy(),
        'there was no answer (SocketError',
      ],
    ])('fails with %s', async (_, saying, reason) => {
      const before = (await hooks.list()).body.value.length;
      const { url, received } = await answering(saying);
      const reply = await subscribe(`${url}/hook?secret=hidden`);
      expect(errorOf(reply)).toMatchObject({
        status: 400,
        code: 'Application_DialogException',
        message: expect.stringContaining(reason),
      });
      expect(reply.text).toContain(`${url}/hook`);
      expect(reply.text).not.toContain('hidden');
      expect(received).toHaveLength(1);
      expect((await hooks.list()).body.value).toHaveLength(before);
      const [shown] = await handshakes();
      expect(shown).toMatchObject({ state: 'dropped', attempts: 1 });
    });

    it('fails where nobody listens', async () => {
      const gone = await receiver(agreeing);
      await gone.close();
      expect(errorOf(await subscribe(gone.url)).message).toContain('there was no answer (SocketError');
    });

    it('fails if no answer comes in time, which is a setting', async () => {
      await control(bench, 'PATCH', 'business/settings', { ApiSubscriptionNotificationUrlTimeout: 200 });
      const silent = await receiver(() => {});
      const message = errorOf(await subscribe(silent.url)).message;
      expect(message).toContain('there was no answer (TimedOut: no complete answer within 200 ms)');
      await control(bench, 'PATCH', 'business/settings', { apiSubscriptionNotificationUrlTimeout: null });
    });

    it('is subject to fault rules like everything that is sent: five seconds of latency by the clock are too many', async () => {
      const { url, received } = await receiver(agreeing);
      await bench.jar.faults.add({
        match: { direction: 'outbound', service: 'business', path: '*late*' },
        effect: { latencyMs: 5000 },
        count: 1,
      });
      const waiting = subscribe(`${url}/late`);
      await expect.poll(async () => (await handshakes())[0]?.address).toBe(`${url}/late`);
      await bench.jar.clock.advance('5s');
      expect(errorOf(await waiting).message).toContain('TimedOut: no complete answer within 5000 ms');
      expect(received).toHaveLength(0);
      expect((await subscribe(`${url}/late`)).status).toBe(201);
      await bench.jar.faults.clear();
    });

    it('fails if its delivery record is removed while it waits', async () => {
      const silent = await receiver(() => {});
      const waiting = subscribe(silent.url);
      await expect.poll(() => silent.received.length).toBe(1);
      const [{ id }] = await handshakes();
      await control(bench, 'DELETE', `deliveries/${id}`);
      expect(errorOf(await waiting).message).toContain('the request was cancelled');
    });

    it('is abandoned with the request, whose time is over first', async () => {
      await control(bench, 'PATCH', 'business/settings', { apiSubscriptionNotificationUrlTimeout: '10m' });
      const { url } = await receiver(agreeing);
      await bench.jar.faults.add({
        match: { direction: 'outbound', service: 'business', path: '*endless*' },
        effect: { latencyMs: 600_000 },
        count: 1,
      });
      const waiting = subscribe(`${url}/endless`);
      await expect.poll(async () => (await handshakes())[0]?.address).toBe(`${url}/endless`);
      await bench.jar.clock.advance('11m');
      expect([408, 504]).toContain((await waiting).status);
      expect((await hooks.list(`?$filter=notificationUrl eq '${url}/endless'`)).body.value).toEqual([]);
      await control(bench, 'PATCH', 'business/settings', { apiSubscriptionNotificationUrlTimeout: null });
      await bench.jar.faults.clear();
    });
  },
  PLAIN_HTTP,
);
