import { EventGridDeserializer } from '@azure/eventgrid';
import { CloudEvent, HTTP } from 'cloudevents';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DeliverySchema } from '../../../../src/services/events/definition.ts';
import type { GridEvent, InputSchema, JsonObject } from '../../../../src/services/events/event.ts';
import { isRfc3339, readTime, rfc3339 } from '../../../../src/services/events/forms/times.ts';
import { ALLOWED_OUTPUTS, outputOf } from '../../../../src/services/events/forms.ts';

const TOPIC = '/subscriptions/s/resourceGroups/g/providers/Vendor.EventGrid/topics/orders';

const native: GridEvent = {
  schema: 'EventGridSchema',
  id: '1',
  type: 'Shop.OrderPlaced',
  subject: '/orders/1',
  time: '2030-01-02T03:04:05Z',
  dataVersion: '2',
  topic: TOPIC,
  data: { order: 1 },
};

const cloud = (original: JsonObject): GridEvent => ({
  schema: 'CloudEventSchemaV1_0',
  id: String(original.id),
  type: String(original.type),
  subject: '',
  time: '2030-01-02T03:04:05Z',
  dataVersion: '',
  topic: TOPIC,
  ...(original.data !== undefined && { data: original.data }),
  original,
});

const custom: GridEvent = {
  ...native,
  schema: 'CustomEventSchema',
  original: { what: 'x', when: 1 },
  data: { what: 'x', when: 1 },
};

describe('delivery schemas of events', () => {
  it.each<[InputSchema, DeliverySchema, boolean]>([
    ['EventGridSchema', 'EventGridSchema', true],
    ['EventGridSchema', 'CloudEventSchemaV1_0', true],
    ['EventGridSchema', 'CustomInputSchema', false],
    ['CloudEventSchemaV1_0', 'EventGridSchema', false],
    ['CloudEventSchemaV1_0', 'CloudEventSchemaV1_0', true],
    ['CloudEventSchemaV1_0', 'CustomInputSchema', false],
    ['CustomEventSchema', 'EventGridSchema', true],
    ['CustomEventSchema', 'CloudEventSchemaV1_0', true],
    ['CustomEventSchema', 'CustomInputSchema', true],
  ])('%s as %s: %s', (input, output, allowed) => {
    expect(ALLOWED_OUTPUTS[input].includes(output)).toBe(allowed);
  });
});

describe('an event in the native schema', () => {
  it('has its members in the order of the real service', () => {
    expect(outputOf(native, 'EventGridSchema')).toBe(
      `{"id":"1","topic":"${TOPIC}","subject":"/orders/1","eventType":"Shop.OrderPlaced","eventTime":"2030-01-02T03:04:05Z",` +
        '"data":{"order":1},"dataVersion":"2","metadataVersion":"1"}',
    );
  });

  it('has data even if none was sent, as the official client requires', async () => {
    const { data, ...without } = native;
    const text = outputOf(without, 'EventGridSchema');
    expect(JSON.parse(text)).toMatchObject({ id: '1', data: null });
    expect(await new EventGridDeserializer().deserializeEventGridEvents(text)).toHaveLength(1);
  });

  it('becomes a CloudEvent whose source is the topic', () => {
    expect(outputOf(native, 'CloudEventSchemaV1_0')).toBe(
      `{"specversion":"1.0","id":"1","source":"${TOPIC}","type":"Shop.OrderPlaced","subject":"/orders/1",` +
        '"time":"2030-01-02T03:04:05Z","datacontenttype":"application/json","data":{"order":1}}',
    );
  });

  it('omits empty attributes of a CloudEvent, and gives its time a zone', () => {
    const { data, ...without } = native;
    const event = { ...without, subject: '', time: '2030-01-02' };
    expect(JSON.parse(outputOf(event, 'CloudEventSchemaV1_0'))).toEqual({
      specversion: '1.0',
      id: '1',
      source: TOPIC,
      type: 'Shop.OrderPlaced',
      time: '2030-01-02T00:00:00.000Z',
    });
  });

  it('stays in its own schema for a subscription that wants an impossible one', () => {
    expect(outputOf(native, 'CustomInputSchema')).toBe(outputOf(native, 'EventGridSchema'));
  });
});

describe('a CloudEvent', () => {
  it('is delivered with everything that was sent, in the order of the specification', () => {
    const event = cloud({
      zone: 'a',
      data: [1],
      type: 't',
      id: 'i',
      source: '/s',
      n: 3,
      specversion: '1.0',
      dataschema: 'urn:x',
      time: null,
    });
    expect(outputOf(event, 'CloudEventSchemaV1_0')).toBe(
      '{"specversion":"1.0","id":"i","source":"/s","type":"t","time":null,"dataschema":"urn:x","data":[1],"zone":"a","n":3}',
    );
  });

  it('keeps binary data', () => {
    const event = cloud({ specversion: '1.0', id: 'i', source: '/s', type: 't', data_base64: 'AQI=' });
    expect(JSON.parse(outputOf(event, 'CloudEventSchemaV1_0'))).toEqual(event.original);
  });
});

describe('an event in a custom schema', () => {
  it('is delivered as it was sent, or whole as data', () => {
    expect(outputOf(custom, 'CustomInputSchema')).toBe('{"what":"x","when":1}');
    expect(JSON.parse(outputOf(custom, 'EventGridSchema'))).toMatchObject({ id: '1', data: { what: 'x', when: 1 } });
    expect(JSON.parse(outputOf(custom, 'CloudEventSchemaV1_0'))).toMatchObject({
      id: '1',
      data: { what: 'x', when: 1 },
    });
  });
});

it('serialises an event once for all subscriptions that want the same schema', () => {
  let written = 0;
  const data = { toJSON: () => ++written } as unknown as JsonObject;
  const event = { ...native, data } as unknown as GridEvent;
  const first = outputOf(event, 'EventGridSchema');
  expect(outputOf(event, 'EventGridSchema')).toBe(first);
  expect(written).toBe(1);
  outputOf(event, 'CloudEventSchemaV1_0');
  expect(written).toBe(2);
});

const anyText = fc.string({ unit: 'binary' });
/** Includes keys such as `__proto__`; only numbers that JSON can represent. */
const anyData = fc.jsonValue({ stringUnit: 'binary' });

describe('for any event', () => {
  it('native in is native out', () => {
    fc.assert(
      fc.property(anyText, anyText, anyText, anyText, anyData, (id, subject, type, dataVersion, data) => {
        const event = { ...native, id, subject, type, dataVersion, data } as GridEvent;
        expect(JSON.parse(outputOf(event, 'EventGridSchema'))).toEqual({
          id,
          topic: TOPIC,
          subject,
          eventType: type,
          eventTime: native.time,
          data: JSON.parse(JSON.stringify(data)),
          dataVersion,
          metadataVersion: '1',
        });
      }),
    );
  });

  it('the CloudEvents library reads what native events become', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.string({ minLength: 1 }), fc.object(), (id, type, data) => {
        const event = { ...native, id, type, data: JSON.parse(JSON.stringify(data)) } as GridEvent;
        const headers = { 'content-type': 'application/cloudevents+json; charset=utf-8' };
        const read = HTTP.toEvent({ headers, body: outputOf(event, 'CloudEventSchemaV1_0') }) as CloudEvent<unknown>;
        expect(read.validate()).toBe(true);
        expect(read).toMatchObject({ id, type, source: TOPIC, subject: '/orders/1', time: '2030-01-02T03:04:05.000Z' });
        expect(JSON.parse(JSON.stringify(read.data))).toEqual(event.data);
      }),
    );
  });

  it('the CloudEvents library reads back what it wrote', () => {
    const name = fc.stringMatching(/^[a-z][a-z0-9]{2,10}$/).map((text) => `x${text}`);
    const value = fc.oneof(fc.boolean(), fc.integer(), fc.string());
    fc.assert(
      fc.property(fc.dictionary(name, value, { noNullPrototype: true }), fc.object(), (extensions, data) => {
        const sent = new CloudEvent({ ...extensions, source: '/s', type: 't', data });
        const original = JSON.parse(HTTP.structured(sent).body as string) as JsonObject;
        const headers = { 'content-type': 'application/cloudevents+json' };
        const read = HTTP.toEvent({ headers, body: outputOf(cloud(original), 'CloudEventSchemaV1_0') });
        expect(JSON.parse(JSON.stringify(read))).toEqual(JSON.parse(JSON.stringify(sent)));
      }),
    );
  });
});

describe('the time of an event', () => {
  it.each([
    ['2030-01-02T03:04:05Z', '2030-01-02T03:04:05.000Z', true],
    ['2030-01-02t03:04:05z', '2030-01-02T03:04:05.000Z', true],
    ['2030-01-02 03:04:05Z', '2030-01-02T03:04:05.000Z', true],
    ['2017-06-26T18:41:00.9584103Z', '2017-06-26T18:41:00.958Z', true],
    ['2030-01-02T03:04:05.5+02:30', '2030-01-02T00:34:05.500Z', true],
    ['2030-01-02T03:04:05-0100', '2030-01-02T04:04:05.000Z', true],
    ['2030-01-02T03:04:05', '2030-01-02T03:04:05.000Z', false],
    ['2030-01-02T03:04', '2030-01-02T03:04:00.000Z', false],
    ['2030-01-02T03:04Z', '2030-01-02T03:04:00.000Z', false],
    ['2030-01-02', '2030-01-02T00:00:00.000Z', false],
    ['2028-02-29', '2028-02-29T00:00:00.000Z', false],
  ])('%s is read', (text, time, complete) => {
    expect(new Date(readTime(text)).toISOString()).toBe(time);
    expect(isRfc3339(text)).toBe(complete);
    expect(Date.parse(rfc3339(text))).toBe(Date.parse(time));
  });

  it.each([
    '',
    'now',
    '1/2/2030',
    '2030-13-01',
    '2030-00-01',
    '2030-02-30',
    '2030-01-00',
    '2030-01-02T24:00:00Z',
    '2030-01-02T03:60:00Z',
    '2030-01-02T03:04:60Z',
    '2030-01-02T03:04:05+24:00',
    '2030-01-02T03:04:05 Z',
    ' 2030-01-02',
    `2030-01-02T03:04:05.${'0'.repeat(1000)}Z`,
  ])('%j is none', (text) => {
    expect(readTime(text)).toBeNaN();
    expect(isRfc3339(text)).toBe(false);
  });

  it('is read as JavaScript reads it', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('1000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
        (date) => {
          expect(readTime(date.toISOString())).toBe(date.getTime());
          expect(rfc3339(date.toISOString())).toBe(date.toISOString());
        },
      ),
    );
  });
});
