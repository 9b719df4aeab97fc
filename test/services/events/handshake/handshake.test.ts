import { expect, it } from 'vitest';
import { startReceiver } from '../../../kernel/delivery/receivers.ts';
import { altered } from '../../../support/altered.ts';
import { onAnyStore } from '../../../support/jars.ts';
import { makeGroup, OPTIONS, operationOf, queue } from '../subscriptions/bench.ts';
import { agreeing, CLOUD_EVENTS, codeIn, endpointsOf, hook, saying, urlIn } from './endpoints.ts';

onAnyStore(
  'an endpoint has to agree before it gets events',
  (bench) => {
    const { receiver, api, stateOf, deliveries } = endpointsOf(bench);

    it('by the code: Creating at first, Succeeded when it came back', async () => {
      await makeGroup(bench);
      const { url, received } = await receiver(agreeing);
      const reply = await api().put('agrees', hook(`${url}/hook?code=hidden`));
      expect(reply.status).toBe(201);
      expect(reply.body.properties).toMatchObject({ provisioningState: 'Creating' });
      expect(reply.headers.get('azure-asyncoperation')).toMatch(
        /^http:.*\/providers\/Microsoft\.EventGrid\/locations\/global\/operationsStatus\/[0-9A-F-]{36}\?api-version=2025-02-15$/,
      );
      await bench.jar.settled();
      expect(await stateOf('agrees')).toBe('Succeeded');
      expect(await operationOf(bench, reply)).toMatchObject({ status: 'Succeeded' });
      expect(received.map(({ path }) => path)).toEqual(['/hook?code=hidden']);
      const [record] = await deliveries('agrees');
      expect(record).toMatchObject({
        state: 'delivered',
        rule: '200 with the validation code that was sent',
        address: `${url}/hook`,
      });
      expect(JSON.stringify(record)).not.toContain('code=hidden');
    });

    it.each([
      [202, '', 'only 200 is an answer'],
      [404, 'no such thing', '404'],
      [500, '', '500'],
    ])('not by %i: one more try five seconds later, then it has failed', async (status, body, reason) => {
      const name = `refused-${status}`;
      const { url, received } = await receiver(saying(status, body));
      const reply = await api().put(name, hook(url));
      await bench.jar.settled();
      expect(received).toHaveLength(1);
      expect(await stateOf(name)).toBe('Creating');
      await bench.jar.clock.advance('5s');
      expect(received).toHaveLength(2);
      expect(received.map(({ headers }) => headers['aeg-delivery-count'])).toEqual(['0', '1']);
      expect(codeIn(received[1]!)).toBe(codeIn(received[0]!));
      expect(await stateOf(name)).toBe('Failed');
      const { status: ended, error } = await operationOf(bench, reply);
      expect(ended).toBe('Failed');
      expect(error.code).toBe('Url validation');
      expect(error.message).toContain(`Http POST got the status code ${status} in 2 attempts`);
      expect(error.message).toContain(reason);
      const [record] = await deliveries(name);
      expect(record).toMatchObject({ state: 'dropped', attempts: 2, body: received[0]?.body });
      expect(record.history).toMatchObject([{ status }, { status, rule: expect.stringContaining(reason) }]);
      // The failed subscription can still be read, and repaired by another write.
      expect((await api().get(name)).body.properties.destination.properties.endpointBaseUrl).toBe(url);
      await api().put(name, hook((await receiver(agreeing)).url));
      await bench.jar.settled();
      expect(await stateOf(name)).toBe('Succeeded');
    });

    it('not by another code', async () => {
      const { url, received } = await receiver(saying(200, '{"validationResponse":"something else"}'));
      const reply = await api().put('wrong-code', hook(url));
      await bench.jar.settled();
      expect(await stateOf('wrong-code')).toBe('Failed');
      expect(received).toHaveLength(1);
      expect((await operationOf(bench, reply)).error.message).toContain('is not the code that was sent');
    });

    it('not where nobody listens', async () => {
      const gone = await startReceiver();
      await gone.close();
      const reply = await api().put('nobody', hook(gone.url));
      await bench.jar.clock.advance('5s');
      expect(await stateOf('nobody')).toBe('Failed');
      const { error } = await operationOf(bench, reply);
      expect(error.message).toContain('Http POST got no answer in 2 attempts');
      expect(error.message).toContain('SocketError');
    });

    it('by its second answer, when a fault took the first', async () => {
      const { url, received } = await receiver(agreeing);
      await bench.jar.faults.add({
        match: { direction: 'outbound', path: '*second-chance*' },
        effect: { status: 503 },
        count: 1,
      });
      await api().put('second-chance', hook(`${url}/second-chance`));
      await bench.jar.settled();
      expect(await stateOf('second-chance')).toBe('Creating');
      await bench.jar.clock.advance('5s');
      expect(await stateOf('second-chance')).toBe('Succeeded');
      expect(received).toHaveLength(1);
      await bench.jar.faults.clear();
    });

    it('not when faults take both attempts, and after ten minutes even where its record was deleted', async () => {
      const { url, received } = await receiver(agreeing);
      await bench.jar.faults.add({ match: { direction: 'outbound', path: '*never*' }, effect: { drop: true } });
      await api().put('dropped', hook(`${url}/never`));
      await api().put('forgotten', hook(`${url}/never`));
      await bench.jar.settled();
      const [{ id }] = await deliveries('forgotten');
      const headers = { authorization: `Bearer ${bench.jar.adminKey}` };
      await bench.call('DELETE', `/_jar/deliveries/${id}`, { token: null, headers });
      await bench.jar.clock.advance('5s');
      expect([await stateOf('dropped'), await stateOf('forgotten')]).toEqual(['Failed', 'Creating']);
      await bench.jar.clock.advance('10m');
      expect(await stateOf('forgotten')).toBe('Failed');
      expect(received).toHaveLength(0);
      await bench.jar.faults.clear();
    });

    it('by hand: a 200 without the code waits for a call of the validation address', async () => {
      const { url, received } = await receiver(saying(200, 'hello'));
      const reply = await api().put('by-hand', hook(url));
      await bench.jar.settled();
      expect(await stateOf('by-hand')).toBe('AwaitingManualAction');
      await bench.jar.clock.advance('9m');
      const address = urlIn(received[0]!);
      const wrong = await fetch(altered(address, address.indexOf('token=') + 'token='.length));
      expect([wrong.status, await wrong.text()]).toEqual([401, expect.stringContaining('not valid')]);
      expect((await fetch(address, { method: 'HEAD' })).status).toBe(200);
      expect(await stateOf('by-hand')).toBe('AwaitingManualAction');
      const done = await fetch(address);
      expect([done.status, done.headers.get('content-type'), await done.text()]).toEqual([
        200,
        'text/plain; charset=utf-8',
        expect.stringContaining('successfully validated'),
      ]);
      expect(await stateOf('by-hand')).toBe('Succeeded');
      expect(await operationOf(bench, reply)).toMatchObject({ status: 'Succeeded' });
      const again = await fetch(address);
      expect([again.status, await again.text()]).toEqual([410, expect.stringContaining('validated before')]);
      await bench.jar.clock.advance('10m');
      expect(await stateOf('by-hand')).toBe('Succeeded');
    });

    it('by hand, but not after ten minutes', async () => {
      const { url, received } = await receiver(saying(200));
      const reply = await api().put('too-late', hook(url));
      await bench.jar.clock.advance('10m');
      expect(await stateOf('too-late')).toBe('Failed');
      expect((await operationOf(bench, reply)).error).toMatchObject({
        code: 'Url validation',
        message: expect.stringContaining('within 10 minutes'),
      });
      const late = await fetch(urlIn(received[0]!));
      expect([late.status, await late.text()]).toEqual([410, expect.stringContaining('10 minutes')]);
      expect(await stateOf('too-late')).toBe('Failed');
    });

    it('by a call from within its own handler, before it answers', async () => {
      const { url } = await receiver(async (request, response) => {
        await fetch(urlIn(request));
        response.statusCode = 500;
        response.end();
      });
      await api().put('at-once', hook(url));
      await bench.jar.clock.advance('5s');
      expect(await stateOf('at-once')).toBe('Succeeded');
    });

    it('anew for another address or another way to ask, and for nothing else', async () => {
      const one = await receiver(agreeing);
      const two = await receiver(agreeing);
      const handshakes = () =>
        [one, two].map(
          ({ received }) =>
            received.filter(
              ({ headers }) =>
                headers['aeg-event-type'] === 'SubscriptionValidation' ||
                headers['webhook-request-origin'] !== undefined,
            ).length,
        );
      const put = async (properties: object) => {
        await api().put('again', properties);
        await bench.jar.settled();
        expect(await stateOf('again')).toBe('Succeeded');
      };
      await put(hook(one.url));
      await put(hook(one.url, { maxEventsPerBatch: 10 }, { labels: ['a'] }));
      expect(handshakes()).toEqual([1, 0]);
      await put(hook(`${one.url}?key=1`));
      expect(handshakes()).toEqual([2, 0]);
      await put(hook(two.url));
      expect(handshakes()).toEqual([2, 1]);
      await put(hook(two.url, {}, CLOUD_EVENTS));
      expect(handshakes()).toEqual([2, 2]);
      await put(queue());
      await put(hook(two.url));
      expect(handshakes()).toEqual([2, 3]);
    });

    it('and until it does, what was in force stays in force', async () => {
      const good = await receiver(agreeing);
      const bad = await receiver(saying(400));
      await api().put('kept', hook(good.url, {}, { labels: ['first'] }));
      await bench.jar.settled();
      const reply = await api().put('kept', hook(bad.url, {}, { labels: ['second'] }));
      expect(reply.body.properties).toMatchObject({ provisioningState: 'Updating', labels: ['second'] });
      await bench.jar.settled();
      expect((await api().get('kept')).body.properties.provisioningState).toBe('Updating');
      await bench.jar.clock.advance('5s');
      expect(await operationOf(bench, reply)).toMatchObject({ status: 'Failed', error: { code: 'Url validation' } });
      expect((await api().get('kept')).body.properties).toMatchObject({
        provisioningState: 'Succeeded',
        labels: ['first'],
        destination: { properties: { endpointBaseUrl: good.url } },
      });
    });

    it('with the headers that it will get with events, secret ones too, and none of them in the record', async () => {
      const { url, received } = await receiver(agreeing);
      const deliveryAttributeMappings = [
        { name: 'X-Guard', type: 'Static', properties: { value: 'open-sesame', isSecret: true } },
        { name: 'X-Subject', type: 'Dynamic', properties: { sourceField: 'subject' } },
      ];
      await api().put('guarded', hook(url, { deliveryAttributeMappings }));
      await bench.jar.settled();
      expect(received[0]?.headers).toMatchObject({ 'x-guard': 'open-sesame' });
      expect(received[0]?.headers).not.toHaveProperty('x-subject');
      expect(JSON.stringify(await deliveries('guarded'))).not.toContain('open-sesame');
    });
  },
  OPTIONS,
);
