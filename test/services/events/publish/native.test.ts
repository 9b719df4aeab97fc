import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { outputOf } from '../../../../src/services/events/forms.ts';
import { DOMAIN, mistakesIn, read, TOPIC } from './reading.ts';

const event = (further: object = {}) => ({
  id: '1',
  eventType: 'Shop.OrderPlaced',
  subject: '/orders/1',
  eventTime: '2030-01-01T00:00:00Z',
  ...further,
});

describe('a topic in the native schema', () => {
  it('accepts the required members, and fills in the rest', () => {
    const { events } = read({ body: [event(), event({ data: null, dataVersion: '2' })] });
    expect(events).toEqual([
      {
        schema: 'EventGridSchema',
        id: '1',
        type: 'Shop.OrderPlaced',
        subject: '/orders/1',
        time: '2030-01-01T00:00:00Z',
        dataVersion: '',
        topic: TOPIC,
      },
      expect.objectContaining({ data: null, dataVersion: '2' }),
    ]);
  });

  it.each([
    [
      'a content type that is not JSON, as command line tools send',
      { 'content-type': 'application/x-www-form-urlencoded' },
    ],
    ['no content type', {}],
    ['the official content type', { 'content-type': 'application/json; charset=utf-8' }],
  ])('takes %s', (_, headers) => {
    expect(read({ headers: headers as Record<string, string>, body: [event()] }).events).toHaveLength(1);
  });

  it.each([
    ['its own topic', { topic: TOPIC }],
    ['its own topic in another casing', { topic: TOPIC.toUpperCase() }],
    ['its own topic with another provider prefix', { topic: TOPIC.replace('Vendor.', 'Microsoft.') }],
    ['no topic', { topic: null }],
    ['an empty topic', { topic: '' }],
    ['the right metadata version', { metadataVersion: '1' }],
    ['members that are null', { metadataVersion: null, dataVersion: null, data: null }],
    ['an empty subject', { subject: '' }],
  ])('takes an event with %s', (_, further) => {
    expect(mistakesIn({ body: [event(further)] })).toEqual([]);
  });

  it.each<[string, unknown, string[]]>([
    ['no id', event({ id: undefined }), ["'[0].id' is required"]],
    ['an empty id', event({ id: '' }), ["'[0].id' must not be empty"]],
    ['a number for an id', event({ id: 1 }), ["'[0].id' must be a string"]],
    ['no subject', event({ subject: undefined }), ["'[0].subject' is required"]],
    ['null for a subject', event({ subject: null }), ["'[0].subject' is required"]],
    ['no type', event({ eventType: undefined }), ["'[0].eventType' is required"]],
    ['no time', event({ eventTime: undefined }), ["'[0].eventTime' is required"]],
    ['a time that is none', event({ eventTime: 'noon' }), ["'[0].eventTime' must be a time in ISO 8601, not 'noon'"]],
    ['a number for a time', event({ eventTime: 1 }), ["'[0].eventTime' must be a string"]],
    ['a number for a version', event({ dataVersion: 1 }), ["'[0].dataVersion' must be a string"]],
    [
      'another metadata version',
      event({ metadataVersion: '2' }),
      ["'[0].metadataVersion' is set by the service; if it is sent, it must be '1'"],
    ],
    [
      "somebody else's topic",
      event({ topic: `${TOPIC}x` }),
      [`'[0].topic' is set by the service; if it is sent, it must be '${TOPIC}'`],
    ],
    ['a member that no event has', event({ color: 'red' }), ["'[0].color' is not a property of an event"]],
    [
      'nothing',
      {},
      [
        "'[0].id' is required",
        "'[0].subject' is required",
        "'[0].eventType' is required",
        "'[0].eventTime' is required",
      ],
    ],
    ['null', null, ["'[0]' must be an object"]],
    ['a list', [], ["'[0]' must be an object"]],
    ['text', 'x', ["'[0]' must be an object"]],
  ])('refuses an event with %s', (_, bad, mistakes) => {
    expect(mistakesIn({ body: [bad] })).toEqual(mistakes);
  });

  it.each<[string, unknown, RegExp]>([
    ['a single event', event(), /must be an array/],
    ['an empty array', [], /has no events/],
    ['too many events', Array(5001).fill(event()), /has 5001 events; 5000 are the most/],
    ['text', '"x"', /must be an array/],
    ['no JSON', '[{', /not valid JSON/],
    ['nothing', undefined, /no body/],
    ['blanks', '  ', /not valid JSON/],
    ['bytes that are no text', Buffer.from([0x5b, 0xff, 0x5d]), /not valid UTF-8/],
  ])('refuses a body of %s', (_, body, message) => {
    const mistakes = mistakesIn({ body });
    expect(mistakes).toHaveLength(1);
    expect(mistakes[0]).toMatch(message);
  });

  it('takes 5,000 events', () => {
    expect(read({ body: Array(5000).fill(event()) }).events).toHaveLength(5000);
  });

  it.each(['application/cloudevents+json', 'application/cloudevents-batch+json; charset=utf-8'])(
    'refuses the content type %s',
    (type) => {
      expect(mistakesIn({ headers: { 'content-type': type }, body: [event()] })).toEqual([
        `The content type '${type}' is that of CloudEvents.`,
      ]);
    },
  );

  it('reports all mistakes of all events', () => {
    const body = [event(), event({ id: '' }), event(), event({ subject: 1, color: 1 })];
    expect(mistakesIn({ body })).toEqual([
      "'[1].id' must not be empty",
      "'[3].color' is not a property of an event",
      "'[3].subject' must be a string",
    ]);
  });

  it('stops listing mistakes at a hundred, but counts them all', () => {
    const body = Array(200).fill(event({ id: '' }));
    expect(mistakesIn({ body })).toHaveLength(100);
    expect(() => read({ body })).toThrow(
      /'\[0\].id' must not be empty. There are 199 more mistakes. Nothing was published/,
    );
  });

  it('refuses a body that is compressed', () => {
    expect(() => read({ headers: { 'content-encoding': 'gzip' }, body: [event()] })).toThrow(
      expect.objectContaining({ status: 415, code: 'UnsupportedMediaType' }),
    );
  });
});

/** The number of events read, or the error message. */
function takenOf(body: unknown): number | string {
  try {
    return read({ body }).events.length;
  } catch (error) {
    return (error as Error).message;
  }
}

describe('hostile JSON', () => {
  const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;
  const withData = (data: string): string => `[${JSON.stringify(event()).slice(0, -1)},"data":${data}}]`;

  it('is accepted to a depth of a hundred', () => {
    const { events } = read({ body: withData(nested(100)) });
    expect(JSON.stringify(events[0]?.data)).toBe(nested(100));
    expect(mistakesIn({ body: withData(nested(101)) })).toEqual([
      expect.stringMatching(/nested more than 102 levels deep/),
    ]);
    expect(mistakesIn({ body: withData(`${'{"a":'.repeat(101)}1${'}'.repeat(101)}`) })).toEqual([
      expect.stringMatching(/nested more than 102 levels deep/),
    ]);
    expect(mistakesIn({ body: nested(500_000) })).toEqual([expect.stringMatching(/nested more than 102 levels deep/)]);
  });

  it('with unsafe names pollutes nothing, and is delivered unchanged', () => {
    const data = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}';
    const { events } = read({ body: withData(data) });
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
    expect(outputOf(events[0]!, 'EventGridSchema')).toContain(`"data":${data}`);
    expect(mistakesIn({ body: withData('1').replace('"data"', '"__proto__"') })).toEqual([
      "'[0].__proto__' is not a property of an event",
    ]);
  });

  it('with a name twice means the last', () => {
    expect(read({ body: withData('1,"id":"2"') }).events[0]?.id).toBe('2');
  });

  it('with an unpaired surrogate is delivered unchanged', () => {
    const { events } = read({ body: withData('"\\ud800\\u0000"') });
    expect(outputOf(events[0]!, 'EventGridSchema')).toContain('"data":"\\ud800\\u0000"');
    expect(mistakesIn({ body: `[{"\\ud800${'x'.repeat(1000)}":1}]` })[0]!.isWellFormed()).toBe(true);
  });

  it('of any kind is either read or refused with a reason', () => {
    const anything = fc.jsonValue({ stringUnit: 'binary' });
    const like = fc.record(
      { id: anything, eventType: anything, subject: anything, eventTime: anything, topic: anything },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(anything, like), { minLength: 1 }), (body) => {
        const mistakes = mistakesIn({ body });
        expect(mistakes.filter((mistake) => !/^'\[\d+\].*' (must|is) /s.test(mistake))).toEqual([]);
        const [first] = mistakes;
        expect(takenOf(body)).toEqual(first === undefined ? body.length : expect.stringContaining(first));
      }),
      { examples: [[[JSON.parse(withData('1'))[0]]], [[{}]]] },
    );
    expect(mistakesIn({ body: withData('1') })).toEqual([]);
    expect(mistakesIn({ body: [{}] })).not.toEqual([]);
  });
});

describe('a domain', () => {
  const send = (topic: unknown) => read({ domain: true, body: [event({ topic })] }).topicNames;

  it('takes the topic of an event by its name and by its id', () => {
    expect(send('Berlin')).toEqual(['Berlin']);
    expect(send(`${DOMAIN}/topics/Berlin`)).toEqual(['Berlin']);
    expect(send(`${DOMAIN.replace('Vendor', 'Microsoft').toUpperCase()}/TOPICS/Berlin`)).toEqual(['Berlin']);
  });

  it.each([undefined, null, ''])('refuses an event whose topic is %j', (topic) => {
    expect(mistakesIn({ domain: true, body: [event({ topic })] })).toEqual([
      "'[0].topic' is required: it names the topic of the domain",
    ]);
  });

  it.each([
    1,
    'a/b',
    'no name',
    DOMAIN,
    `${DOMAIN}/topics/`,
    `${DOMAIN}x/topics/a`,
    TOPIC,
    `${DOMAIN}/topics/abc/def`,
    '../abc',
  ])('refuses an event whose topic is %j', (topic) => {
    expect(mistakesIn({ domain: true, body: [event({ topic })] })).toEqual([
      "'[0].topic' must name a topic of the domain, by its name or by its id",
    ]);
  });
});
