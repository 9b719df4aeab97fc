import { describe, expect, it } from 'vitest';
import { outputOf } from '../../../../src/services/events/forms.ts';
import { mistakesIn, read, TOPIC } from './reading.ts';

const mapping = (properties: object) => ({
  inputSchema: 'CustomEventSchema',
  inputSchemaMapping: { inputSchemaMappingType: 'Json', properties } as never,
});

const FULL = mapping({
  id: { sourceField: 'key' },
  eventTime: { sourceField: 'meta.at' },
  eventType: { sourceField: 'kind', defaultValue: 'Shop.Unknown' },
  subject: { sourceField: 'meta.about', defaultValue: '/nothing' },
  dataVersion: { sourceField: 'version' },
});

const event = { key: 'k1', kind: 'Shop.Sold', meta: { at: '2029-12-31', about: '/orders/1' }, version: 3, more: [1] };

describe('a topic in a custom schema', () => {
  it('finds the envelope fields where its mapping says', () => {
    const { events } = read({ properties: FULL, body: [event] });
    expect(events).toEqual([
      {
        schema: 'CustomEventSchema',
        id: 'k1',
        type: 'Shop.Sold',
        subject: '/orders/1',
        time: '2029-12-31',
        dataVersion: '3',
        topic: TOPIC,
        data: event,
        original: event,
      },
    ]);
    expect(JSON.parse(outputOf(events[0]!, 'CustomInputSchema'))).toEqual(event);
  });

  it('falls back on the defaults of its mapping', () => {
    const { events } = read({
      properties: FULL,
      body: [{ key: 'k2', meta: { at: '2029-12-31' }, kind: null, version: '' }],
    });
    expect(events[0]).toMatchObject({ type: 'Shop.Unknown', subject: '/nothing', dataVersion: '' });
  });

  it('generates what its mapping leaves out', () => {
    const { events } = read({ properties: mapping({}), body: [{ id: 'mine' }, {}] });
    expect(events[0]).toMatchObject({
      time: '2030-01-01T00:00:00.000Z',
      subject: '',
      dataVersion: '',
      type: 'CustomEvent',
    });
    expect(events[0]?.id).toMatch(/^[0-9a-f-]{36}$/);
    expect(events[0]?.id).not.toBe(events[1]?.id);
  });

  it('prefers a member of exactly that name to a path', () => {
    const properties = mapping({ id: { sourceField: 'a.b' } });
    expect(read({ properties, body: [{ 'a.b': 'flat', a: { b: 'deep' } }] }).events[0]?.id).toBe('flat');
    expect(read({ properties, body: [{ a: { b: 'deep' } }] }).events[0]?.id).toBe('deep');
  });

  it('finds nothing that an object only inherits', () => {
    const properties = mapping({ id: { sourceField: 'constructor.name' } });
    expect(mistakesIn({ properties, body: [{}] })).toEqual([
      "'[0].constructor.name' is required: the topic takes 'id' from it",
    ]);
  });

  it.each<[string, object, string[]]>([
    ['no id', { ...event, key: undefined }, ["'[0].key' is required: the topic takes 'id' from it"]],
    ['an empty id', { ...event, key: '' }, ["'[0].key' must be more than empty text: the topic takes 'id' from it"]],
    ['an object for a type', { ...event, kind: {} }, ["'[0].kind' must be text: the topic takes 'eventType' from it"]],
    [
      'a time that is none',
      { ...event, meta: { at: 'noon' } },
      ["'[0].meta.at' must be a time in ISO 8601, not 'noon'"],
    ],
  ])('refuses an event with %s', (_, bad, mistakes) => {
    expect(mistakesIn({ properties: FULL, body: [bad] })).toEqual(mistakes);
  });

  it.each<[string, unknown, RegExp]>([
    ['a single event', event, /must be an array/],
    ['an empty array', [], /has no events/],
    ['something that is no event', [1], /'\[0\]' must be an object/],
  ])('refuses %s', (_, body, message) => {
    expect(mistakesIn({ properties: FULL, body })[0]).toMatch(message);
  });
});

describe('a domain in a custom schema', () => {
  const properties = mapping({ topic: { sourceField: 'shop' } });

  it('finds the topic where its mapping says', () => {
    expect(read({ domain: true, properties, body: [{ shop: 'berlin' }] }).topicNames).toEqual(['berlin']);
    expect(mistakesIn({ domain: true, properties, body: [{}] })).toContain(
      "'[0].shop' is required: the topic takes 'topic' from it",
    );
    expect(mistakesIn({ domain: true, properties: mapping({}), body: [{}] })).toEqual([
      "'[0].topic' is required: it names the topic of the domain",
    ]);
  });
});
