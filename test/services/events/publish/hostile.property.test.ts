import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ApiError } from '../../../../src/kernel/http/errors.ts';
import { isSecretName, redactUrl } from '../../../../src/kernel/telemetry/redact.ts';
import { ALLOWED_OUTPUTS, outputOf } from '../../../../src/services/events/forms.ts';
import { read } from './reading.ts';

const SCHEMAS = ['EventGridSchema', 'CloudEventSchemaV1_0', 'CustomEventSchema'] as const;

const text = fc.string({ unit: 'binary' });
const header = fc.string({ unit: fc.constantFrom('a', '%', '2', 'F', '"', '\\', ' ', 'é', '1', '.', '0', ';', '/') });
const headers = fc.record(
  {
    'content-type': fc.oneof(
      header,
      fc.constantFrom(
        'application/json',
        'text/plain',
        'application/cloudevents+json',
        'application/cloudevents-batch+json',
      ),
    ),
    'content-encoding': fc.constantFrom('identity', 'gzip'),
    'ce-specversion': fc.constantFrom('1.0', '0.3'),
    'ce-id': header,
    'ce-source': header,
    'ce-type': header,
    'ce-time': header,
    'ce-__proto__': header,
    'ce-constructor': header,
  },
  { requiredKeys: [] },
);

const field = fc.oneof(text, fc.jsonValue({ stringUnit: 'binary' }), fc.constantFrom('2030-01-01', '1.0', '/a', 'abc'));
const eventLike = fc.dictionary(
  fc.constantFrom(
    'id',
    'subject',
    'eventType',
    'eventTime',
    'topic',
    'data',
    'specversion',
    'source',
    'type',
    'time',
    '__proto__',
  ),
  field,
);
const body = fc.oneof(
  fc.uint8Array().map((bytes) => Buffer.from(bytes)),
  text,
  fc.jsonValue({ stringUnit: 'binary' }).map((value) => JSON.stringify(value)),
  eventLike.map((value) => JSON.stringify(value)),
  fc.array(eventLike).map((value) => JSON.stringify(value)),
);

const properties = fc.record({
  inputSchema: fc.constantFrom(...SCHEMAS),
  inputSchemaMapping: fc.constantFrom(undefined, {
    properties: { id: { sourceField: 'id' }, eventType: { sourceField: '__proto__.x', defaultValue: 'd' } },
  }),
});

it('whatever is sent is either refused with a reason, or can be delivered in every schema', () => {
  let readable = 0;
  fc.assert(
    fc.property(properties, headers, body, fc.boolean(), (given, sent, bytes, domain) => {
      try {
        const { events } = read({
          properties: given as never,
          headers: sent as Record<string, string>,
          body: bytes,
          domain,
        });
        readable += events.length;
        for (const event of events) {
          for (const schema of ALLOWED_OUTPUTS[given.inputSchema]) JSON.parse(outputOf(event, schema));
        }
      } catch (error) {
        expect(error).toBeInstanceOf(ApiError);
        expect([400, 415]).toContain((error as ApiError).status);
        expect((error as ApiError).message.length).toBeLessThan(2000);
      }
      expect(({} as { x?: unknown }).x).toBeUndefined();
    }),
    { numRuns: 2000 },
  );
  // Otherwise the test has checked nothing.
  expect(readable).toBeGreaterThan(10);
});

it('keys and signatures are kept out of logs', () => {
  expect(['aeg-sas-key', 'aeg-sas-token', 'authorization'].filter(isSecretName)).toHaveLength(3);
  expect(redactUrl('/events/westus/orders/api/events?aeg-sas-key=hidden&api-version=1')).not.toContain('hidden');
});
