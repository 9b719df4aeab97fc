import { afterAll, describe, expect, it } from 'vitest';
import { type Receiver, startReceiver } from '../../../kernel/delivery/receivers.ts';
import { onBothStores } from '../../../support/jars.ts';
import {
  AT_GROUP,
  AT_SUBSCRIPTION,
  hook,
  http,
  makeGroup,
  OPTIONS,
  operationOf,
  QUIET,
  queue,
  VERSION,
} from './bench.ts';

onBothStores(
  'the life of event subscriptions',
  (bench) => {
    const receivers: Receiver[] = [];
    afterAll(() => Promise.all(receivers.map((each) => each.close())));
    const silent = async (): Promise<Receiver> => {
      const one = await startReceiver();
      receivers.push(one);
      return one;
    };
    const api = () => http(bench);
    const propertiesOf = async (name: string) => (await api().get(name)).body.properties;
    /** Collects the changes recorded from now on. */
    const recording = async () => {
      const headers = { authorization: `Bearer ${bench.jar.adminKey}` };
      const stream = await fetch(`${bench.jar.url}/_jar/events`, { headers });
      const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader();
      let text = '';
      // biome-ignore lint/suspicious/noExplicitAny: tests look into records
      return async (wanted: (change: any) => boolean): Promise<any> => {
        for (;;) {
          const found = [...text.matchAll(/^data: (.*)$/gm)].map(([, json]) => JSON.parse(json as string)).find(wanted);
          if (found) {
            await reader.cancel();
            return found;
          }
          const { value, done } = await reader.read();
          if (done) throw new Error(`not recorded; there was ${text}`);
          text += value;
        }
      };
    };

    describe('what is under way', () => {
      it('gives way to a newer PUT, whose caller alone hears of success', async () => {
        await makeGroup(bench);
        const first = await api().put('newer', hook((await silent()).url, {}, QUIET));
        await bench.jar.settled();
        expect((await propertiesOf('newer')).provisioningState).toBe('AwaitingManualAction');
        const told = await recording();
        const second = await api().put('newer', queue(QUIET));
        expect(second.body.properties.provisioningState).toBe('Creating');
        await bench.jar.settled();
        expect(await operationOf(bench, first)).toMatchObject({ status: 'Canceled' });
        expect(await operationOf(bench, second)).toMatchObject({ status: 'Succeeded' });
        expect(await propertiesOf('newer')).toMatchObject({
          provisioningState: 'Succeeded',
          destination: { endpointType: 'StorageQueue' },
        });
        const canceled = await told(({ outcome }) => outcome === 'Canceled');
        expect(canceled).toMatchObject({ source: 'management', kind: 'write' });
        await bench.jar.clock.advance('10m');
        expect((await propertiesOf('newer')).provisioningState).toBe('Succeeded');
      });

      it('is over when it is deleted', async () => {
        const receiver = await silent();
        receiver.answer = (_, response) => {
          response.statusCode = 500;
          response.end();
        };
        const put = await api().put('deleted', hook(receiver.url, {}, QUIET));
        await bench.jar.settled();
        const reply = await api().remove('deleted');
        expect(reply.status).toBe(202);
        expect(await operationOf(bench, put)).toMatchObject({ status: 'Canceled' });
        expect(await operationOf(bench, reply)).toMatchObject({ status: 'Succeeded' });
        expect(reply.headers.get('location')).toContain('/locations/global/operationResults/');
        expect((await bench.call('GET', reply.headers.get('location') as string)).status).toBe(200);
        await bench.jar.clock.advance('10m');
        expect(receiver.received).toHaveLength(1);
        expect((await api().get('deleted')).status).toBe(404);
        expect((await api().remove('deleted')).status).toBe(204);
      });

      it('ends in one way only, however many write at once', async () => {
        const { httpsUrl } = bench.jar.inbox('many');
        const replies = await Promise.all(
          Array.from({ length: 12 }, (_, i) =>
            api().put('many', hook(`${httpsUrl}?n=${i}`, {}, { ...QUIET, labels: [`n${i}`] })),
          ),
        );
        expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 201));
        await bench.jar.clock.advance('5s');
        const ends = await Promise.all(replies.map(async (reply) => (await operationOf(bench, reply)).status));
        expect(ends.filter((status) => status === 'Succeeded').length).toBeGreaterThanOrEqual(1);
        expect(ends.every((status) => status === 'Succeeded' || status === 'Canceled')).toBe(true);
        const { provisioningState, labels } = await propertiesOf('many');
        expect(provisioningState).toBe('Succeeded');
        expect(ends[Number(labels[0].slice(1))]).toBe('Succeeded');
        const { endpointUrl } = (await api().act('many', 'getFullUrl')).body;
        expect(endpointUrl).toBe(`${httpsUrl}?n=${labels[0].slice(1)}`);
      });

      it('ends well when it is created and deleted at once', async () => {
        await Promise.all(
          Array.from({ length: 20 }, (_, i) => (i % 2 ? api().put('race', queue(QUIET)) : api().remove('race'))),
        );
        await bench.jar.settled();
        const left = await api().get('race');
        expect([left.status, left.body.properties?.provisioningState]).toBeOneOf([
          [200, 'Succeeded'],
          [404, undefined],
        ]);
        await api().remove('race');
        expect((await api().get('race')).status).toBe(404);
      });
    });

    describe('the end', () => {
      it('comes with the expiration by the clock, and is recorded with its reason', async () => {
        const expirationTimeUtc = new Date(bench.jar.clock.now().getTime() + 3_600_000).toISOString();
        await api().put('brief', { ...hook(bench.jar.inbox('brief').httpsUrl), ...QUIET, expirationTimeUtc });
        await bench.jar.clock.advance('59m');
        expect(await propertiesOf('brief')).toMatchObject({ provisioningState: 'Succeeded', expirationTimeUtc });
        const told = await recording();
        await bench.jar.clock.advance('1m');
        expect((await api().get('brief')).status).toBe(404);
        expect(await told(({ source }) => source === 'events')).toMatchObject({
          kind: 'delete',
          subject: `${AT_GROUP}/providers/Vendor.EventGrid/eventSubscriptions/brief`,
          data: { reason: `It expired at ${expirationTimeUtc}.` },
        });
        const notices = (await bench.jar.inbox('brief').requests()).filter(
          ({ headers }) => headers['aeg-event-type'] === 'SubscriptionDeletion',
        );
        expect(notices.map(({ headers }) => headers)).toMatchObject([
          { 'aeg-subscription-name': 'BRIEF', 'aeg-metadata-version': '1', 'aeg-data-version': '2' },
        ]);
      });

      it('comes at once for an endpoint that agrees after the expiration', async () => {
        const receiver = await silent();
        const expirationTimeUtc = new Date(bench.jar.clock.now().getTime() + 60_000).toISOString();
        await api().put('overtaken', hook(receiver.url, {}, { ...QUIET, expirationTimeUtc }));
        await bench.jar.clock.advance('2m');
        expect((await propertiesOf('overtaken')).provisioningState).toBe('AwaitingManualAction');
        const [event] = JSON.parse(receiver.received[0]?.body ?? '');
        expect((await fetch(event.data.validationUrl)).status).toBe(200);
        await bench.jar.settled();
        expect((await api().get('overtaken')).status).toBe(404);
      });

      it('can be put off, or called off', async () => {
        const inHours = (hours: number) => new Date(bench.jar.clock.now().getTime() + hours * 3_600_000).toISOString();
        await api().put('longer', queue({ ...QUIET, expirationTimeUtc: inHours(1) }));
        await bench.jar.settled();
        await api().patch('longer', { expirationTimeUtc: inHours(2) });
        await bench.jar.clock.advance('90m');
        expect((await api().get('longer')).status).toBe(200);
        await api().patch('longer', { expirationTimeUtc: null });
        await bench.jar.clock.advance('90m');
        expect((await api().get('longer')).status).toBe(200);
      });

      it('gives its place in the quota back', async () => {
        const used = async () => {
          const headers = { authorization: `Bearer ${bench.jar.adminKey}` };
          const { body } = await bench.call('GET', '/_jar/limits?name=events.subscriptions', { token: null, headers });
          return JSON.stringify(body.value).includes(`"${AT_SUBSCRIPTION}"`);
        };
        await http(bench, AT_SUBSCRIPTION).put('counted', queue(QUIET));
        await bench.jar.settled();
        expect(await used()).toBe(true);
        await http(bench, AT_SUBSCRIPTION).remove('counted');
        expect(await used()).toBe(false);
      });
    });

    it('writes are recorded when they end, reads never', async () => {
      const told = await recording();
      const path = api().path('recorded');
      await bench.call('GET', path);
      await bench.call('PUT', path, {
        body: { properties: queue(QUIET) },
        headers: { 'x-ms-client-request-id': 'mine' },
      });
      await bench.jar.settled();
      expect(await told(({ source }) => source === 'management')).toMatchObject({
        kind: 'write',
        outcome: 'Succeeded',
        subject: `${AT_GROUP}/providers/Microsoft.EventGrid/eventSubscriptions/recorded`,
        data: { operationName: 'Vendor.EventGrid/eventSubscriptions/write', httpRequest: { clientRequestId: 'mine' } },
      });
    });

    it('lists page by twenty unless asked otherwise', async () => {
      await makeGroup(bench, 'pages');
      const pages = http(bench, AT_GROUP.replace('shop', 'pages'));
      for (let i = 0; i < 45; i++) await pages.put(`page-${String(i).padStart(2, '0')}`, queue(QUIET));
      const sizes: number[] = [];
      const names: string[] = [];
      let next: string | undefined =
        `${AT_GROUP.replace('shop', 'pages')}/providers/Microsoft.EventGrid/eventSubscriptions?api-version=${VERSION}`;
      while (next) {
        const { body } = await bench.call('GET', next);
        sizes.push(body.value.length);
        names.push(...body.value.map(({ name }: { name: string }) => name));
        next = body.nextLink;
      }
      expect(sizes).toEqual([20, 20, 5]);
      expect(new Set(names).size).toBe(45);
      await bench.jar.settled();
    });
  },
  OPTIONS,
);
