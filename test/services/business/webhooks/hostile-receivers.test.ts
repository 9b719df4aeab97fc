import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Received } from '../../../kernel/delivery/receivers.ts';
import { onAnyStore } from '../benches.ts';
import { errorOf } from '../support.ts';
import { agreeing, control, openWebhooks, PLAIN_HTTP, receiversOf, tokenOf, type Webhooks } from './support.ts';

const MEGABYTE = 'x'.repeat(1024 * 1024);

/** Writes until the connection ends. */
function endless(response: ServerResponse, text: string): void {
  const write = (): void => {
    if (response.destroyed) return;
    response.write(text, (error) => void (error ?? setImmediate(write)));
  };
  response.on('error', () => {});
  write();
}

onAnyStore(
  'a receiver that means harm',
  (bench) => {
    let hooks: Webhooks;
    beforeEach(async () => {
      hooks ??= await openWebhooks(bench);
    });
    afterEach(async () => {
      await control(bench, 'PATCH', 'business/settings', { apiSubscriptionNotificationUrlTimeout: null });
      for (const { subscriptionId } of (await hooks.list()).body.value) await hooks.remove(subscriptionId);
    });
    const receiver = receiversOf();
    const subscribe = (notificationUrl: string, more: object = {}) =>
      hooks.subscribe({ notificationUrl, resource: hooks.resource('customers'), ...more });

    describe('gets no subscription', () => {
      it.each<[string, (token: string, response: ServerResponse) => void]>([
        ['for an answer without end', (_, response) => endless(response, MEGABYTE)],
        ['for the token and then no end of white space', (token, response) => endless(response, `${token}   `)],
        ['for all of the token but its end', (token, response) => response.write(token.slice(0, -1))],
        ['for the token in JSON', (token, response) => response.end(JSON.stringify({ validationToken: token }))],
        ['for the token in a page', (token, response) => response.end(`<html><body>${token}</body></html>`)],
        ['for the token in quotes that do not fit', (token, response) => response.end(`"${token}'`)],
        ['for the token twice', (token, response) => response.end(`${token}\n${token}`)],
        [
          'for the token with something far behind it',
          (token, response) => response.end(`${token}${' '.repeat(1024 * 1024)}and more`),
        ],
        ['for the token and a character that cannot be seen', (token, response) => response.end(`${token}\u0000`)],
      ])('%s', async (_, answer) => {
        await control(bench, 'PATCH', 'business/settings', { apiSubscriptionNotificationUrlTimeout: 1000 });
        const { url } = await receiver(({ path }: Received, response) => answer(tokenOf(path), response));
        const reply = await subscribe(url);
        expect(errorOf(reply)).toMatchObject({ status: 400, code: 'Application_DialogException' });
        expect((await hooks.list()).body.value).toEqual([]);
      });

      it.each(['/api/v2.0/companies', '/_jar/business/settings', '/api/v2.0/subscriptions'])(
        'at the address %s of the jar itself',
        async (path) => {
          const reply = await subscribe(bench.jar.httpsUrl + path);
          expect(errorOf(reply)).toMatchObject({ status: 400, code: 'Application_DialogException' });
        },
      );

      it.each([
        'https://169.254.169.254/latest/meta-data',
        'https://[fe80::1]/hook',
        'https://metadata.google.internal/',
        'https://0xa9fea9fe/',
        'https://[::ffff:169.254.169.254]/',
      ])('at %s', async (url) => {
        expect(errorOf(await subscribe(url))).toMatchObject({ status: 400, code: 'Application_DialogException' });
      });
    });

    describe('is notified with its client state however its address is written:', () => {
      it.each([
        ['with a fragment', (url: string) => `${url}/hook#part`],
        ['with a name and a password', (url: string) => url.replace('//', '//somebody:hidden@')],
        ['with one slash', (url: string) => url.replace('//', '/')],
        ['with a password and without slashes', (url: string) => url.replace('//', 'somebody:hidden@')],
        ['in capitals', (url: string) => `${url.replace('http', 'HTTP').replace('127.0.0.1', 'LOCALHOST')}/Hook`],
        ['with blanks inside', (url: string) => `${url}/a b?c d`],
        ['with a line break inside', (url: string) => `${url}/a\nb`],
        ['with an umlaut', (url: string) => `${url}/bücher?ü=ö`],
        ['with an empty query', (url: string) => `${url}/hook?`],
        ['with dots', (url: string) => `${url}/a/../b`],
        ['as a number', (url: string) => url.replace('127.0.0.1', '2130706433')],
        ['at full length', (url: string) => `${url}/${'x'.repeat(8191 - url.length)}`],
      ])('%s', async (_, write) => {
        const { url, received } = await receiver(agreeing);
        const written = write(url);
        const reply = await subscribe(written, { clientState: 'shared' });
        expect([reply.status, reply.text]).toEqual([201, expect.any(String)]);
        expect(reply.body.notificationUrl).toBe(written);
        await bench.call('POST', hooks.resource('customers'), { body: { displayName: 'Told' } });
        await bench.jar.clock.advance('30s');
        const [told] = received.filter(({ body }) => body !== '');
        expect(JSON.parse(told?.body ?? '{}').value).toMatchObject([{ clientState: 'shared', changeType: 'created' }]);
        const shown = [
          await control(bench, 'GET', 'business/subscriptions'),
          await control(bench, 'GET', 'business/windows'),
          await control(bench, 'GET', 'deliveries?$orderby=id desc'),
        ];
        for (const { status, text } of shown) {
          expect(status).toBe(200);
          expect(text).not.toContain('hidden');
        }
      });
    });

    it('cannot exceed the limit of subscriptions by concurrent requests', async () => {
      await control(bench, 'PATCH', 'business/settings', { apiSubscriptionMaxNumberOfSubscriptions: 5 });
      const { url } = await receiver(agreeing);
      const replies = await Promise.all(Array.from({ length: 20 }, (_, i) => subscribe(`${url}/${i}`)));
      const statuses = replies.map(({ status }) => status).sort();
      expect(statuses).toEqual([...Array(5).fill(201), ...Array(15).fill(400)]);
      expect((await hooks.list()).body.value).toHaveLength(5);
      const ids = (await hooks.list()).body.value.map(
        ({ subscriptionId }: { subscriptionId: string }) => subscriptionId,
      );
      // Two concurrent deletions free one place.
      const deleted = await Promise.all([hooks.remove(ids[0]), hooks.remove(ids[0])]);
      expect(deleted.map(({ status }) => status).sort()).toEqual([204, 404]);
      const again = await Promise.all([subscribe(`${url}/a`), subscribe(`${url}/b`)]);
      expect(again.map(({ status }) => status).sort()).toEqual([201, 400]);
      await control(bench, 'PATCH', 'business/settings', { apiSubscriptionMaxNumberOfSubscriptions: null });
    });
  },
  PLAIN_HTTP,
);
