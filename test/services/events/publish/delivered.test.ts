import { EventGridDeserializer } from '@azure/eventgrid';
import { CloudEvent, HTTP } from 'cloudevents';
import { expect, it } from 'vitest';
import { onBothStores } from '../../../support/jars.ts';
import { makeTopic, subscribe, type Topic, webHook } from '../delivering/grid.ts';

/** Events are delivered in the schema that a subscription wants, and the official readers accept them. */
onBothStores('events on their way from publisher to subscriber', (bench) => {
  const HEADERS = { 'content-type': 'application/json' };
  let count = 0;

  async function send(topic: Topic, body: unknown, headers: Record<string, string> = HEADERS): Promise<void> {
    const sent = { 'aeg-sas-key': topic.key, ...headers };
    const answer = await bench.call('POST', topic.endpoint, { token: null, headers: sent, body });
    expect([answer.status, answer.text]).toEqual([200, '']);
    await bench.jar.settled();
  }

  async function receiver(topic: Topic, eventDeliverySchema: string) {
    const inbox = bench.jar.inbox(`receiver${++count}`);
    await subscribe(bench, topic.id, `to${count}`, { destination: webHook(inbox.httpsUrl), eventDeliverySchema });
    return async () => {
      const { headers, body } = await inbox.next();
      return { headers, text: body };
    };
  }

  it('native events arrive as native events and as CloudEvents', async () => {
    const topic = await makeTopic(bench, 'delivered-native');
    const native = await receiver(topic, 'EventGridSchema');
    const cloud = await receiver(topic, 'CloudEventSchemaV1_0');
    const event = {
      id: 'n1',
      eventType: 'Shop.Sold',
      subject: '/1',
      eventTime: '2030-01-01',
      data: { a: ['ü', null] },
    };
    await send(topic, [event]);
    const [read] = await new EventGridDeserializer().deserializeEventGridEvents((await native()).text);
    expect(read).toMatchObject({ ...event, eventTime: new Date('2030-01-01'), topic: topic.id, dataVersion: '' });
    const { headers, text } = await cloud();
    expect(headers['content-type']).toContain('application/cloudevents+json');
    const converted = HTTP.toEvent({
      headers: { 'content-type': 'application/cloudevents+json' },
      body: text,
    }) as CloudEvent<unknown>;
    expect(converted.validate()).toBe(true);
    expect(converted).toMatchObject({
      id: 'n1',
      source: topic.id,
      type: 'Shop.Sold',
      subject: '/1',
      data: { a: ['ü', null] },
    });
  });

  it('CloudEvents arrive with everything that they had, however they came', async () => {
    const topic = await makeTopic(bench, 'delivered-cloud', { inputSchema: 'CloudEventSchemaV1_0' });
    const next = await receiver(topic, 'CloudEventSchemaV1_0');
    const sent = new CloudEvent({ source: '/shop', type: 'Shop.Sold', subject: 'Grüße', data: { a: 1 }, color: 'red' });
    const { headers, body } = HTTP.structured(sent);
    await send(topic, body, headers as Record<string, string>);
    expect(JSON.parse((await next()).text)).toEqual(JSON.parse(JSON.stringify(sent)));
    const binary = { ...HTTP.binary(sent.cloneWith({ subject: 'plain' })).headers } as Record<string, string>;
    await send(topic, JSON.stringify(sent.data), { ...binary, 'ce-subject': encodeURIComponent('Grüße') });
    expect(JSON.parse((await next()).text)).toMatchObject({ ...JSON.parse(JSON.stringify(sent)), subject: 'Grüße' });
  });

  it('custom events arrive as they are, as native events and as CloudEvents', async () => {
    const topic = await makeTopic(bench, 'delivered-custom', {
      inputSchema: 'CustomEventSchema',
      inputSchemaMapping: {
        inputSchemaMappingType: 'Json',
        properties: {
          id: { sourceField: 'meta.key' },
          eventType: { sourceField: 'kind' },
          subject: { defaultValue: '/all' },
        },
      },
    });
    const custom = await receiver(topic, 'CustomInputSchema');
    const native = await receiver(topic, 'EventGridSchema');
    const cloud = await receiver(topic, 'CloudEventSchemaV1_0');
    const event = { meta: { key: 'c1' }, kind: 'Shop.Sold', more: [1] };
    await send(topic, [event]);
    expect(JSON.parse((await custom()).text)).toEqual([event]);
    expect(JSON.parse((await native()).text)).toMatchObject([
      { id: 'c1', eventType: 'Shop.Sold', subject: '/all', data: event },
    ]);
    expect(JSON.parse((await cloud()).text)).toMatchObject({
      id: 'c1',
      source: topic.id,
      subject: '/all',
      data: event,
    });
  });
});
