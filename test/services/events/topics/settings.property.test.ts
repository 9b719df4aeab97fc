import { BlockList } from 'node:net';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ApiError } from '../../../../src/kernel/http/errors.ts';
import { NAME } from '../../../../src/services/events/topics/names.ts';
import { readTopic, type Settings } from '../../../../src/services/events/topics/settings.ts';
import { onBothStores } from '../../../support/jars.ts';
import { Grid } from './grid.ts';

const anyCase = (word: string) => fc.mixedCase(fc.constant(word));
const text = fc.oneof(
  fc.constantFrom('', 'a', 'data.id', '__proto__'),
  fc.string({ maxLength: 20 }),
  fc.constant(null),
);
const field = fc.option(fc.record({ sourceField: text }, { requiredKeys: [] }), { nil: null });
const both = fc.option(fc.record({ sourceField: text, defaultValue: text }, { requiredKeys: [] }), { nil: null });
const mask = fc.oneof(
  fc.tuple(fc.ipV4(), fc.integer({ min: 0, max: 32 })).map(([address, bits]) => `${address}/${bits}`),
  fc.tuple(fc.ipV6(), fc.integer({ min: 0, max: 128 })).map(([address, bits]) => `${address}/${bits}`),
  fc.ipV4(),
  fc.ipV6(),
);

const valid = fc.record(
  {
    inputSchema: fc.option(anyCase('CustomEventSchema'), { nil: null }),
    inputSchemaMapping: fc.record({
      inputSchemaMappingType: anyCase('Json'),
      properties: fc.option(
        fc.record(
          { id: field, topic: field, eventTime: field, eventType: both, subject: both, dataVersion: both },
          { requiredKeys: [] },
        ),
        { nil: null },
      ),
    }),
    publicNetworkAccess: fc.oneof(anyCase('Enabled'), anyCase('Disabled')),
    inboundIpRules: fc.array(fc.record({ ipMask: mask, action: anyCase('Allow') }), { maxLength: 5 }),
    disableLocalAuth: fc.boolean(),
    minimumTlsVersionAllowed: fc.constantFrom('1.0', '1.1', '1.2'),
    dataResidencyBoundary: fc.oneof(anyCase('WithinGeopair'), anyCase('WithinRegion')),
    autoCreateTopicWithFirstSubscription: fc.boolean(),
  },
  { requiredKeys: [] },
);

const settingsIn = (properties: unknown): Partial<Settings> => readTopic({ word: 'domain' }, { properties }).settings;

it('what was read of a body is read the same when it is sent back', () => {
  fc.assert(
    fc.property(valid, (body) => {
      const read = settingsIn(body);
      expect(settingsIn(read)).toEqual(read);
    }),
  );
});

it('every mask that is accepted can match addresses', () => {
  const almost = fc.oneof(
    mask,
    fc.string(),
    fc.tuple(fc.ipV4(), fc.string()).map((parts) => parts.join('/')),
  );
  fc.assert(
    fc.property(almost, (ipMask) => {
      try {
        settingsIn({ inboundIpRules: [{ ipMask, action: 'Allow' }] });
      } catch (error) {
        expect(error).toBeInstanceOf(ApiError);
        return;
      }
      const [address = '', bits] = ipMask.split('/');
      const family = address.includes(':') ? 'ipv6' : 'ipv4';
      const list = new BlockList();
      list.addSubnet(address, Number(bits ?? (family === 'ipv6' ? 128 : 32)), family);
      expect(list.check(address, family)).toBe(true);
    }),
  );
});

it('a name is valid exactly by the documented rule', () => {
  const letters = fc.string({ unit: fc.constantFrom(...'aZ09-_. é/'), minLength: 1, maxLength: 55 });
  const reserved = fc.constantFrom('Vendor', 'microsoft', 'EVENTGRID', 'System');
  const started = fc.tuple(reserved, fc.constantFrom('-', '', 's'), letters).map((parts) => parts.join(''));
  fc.assert(
    fc.property(fc.oneof(letters, started), (name) => {
      const isShaped =
        name.length >= 3 && name.length <= 50 && [...name].every((letter) => /[A-Za-z0-9-]/.test(letter));
      const isReserved = ['vendor-', 'microsoft-', 'eventgrid-', 'system-'].some((word) =>
        name.toLowerCase().startsWith(word),
      );
      expect(NAME.test(name)).toBe(isShaped && !isReserved);
    }),
    { numRuns: 500 },
  );
});

onBothStores('a topic of anything', (bench) => {
  const grid = new Grid(bench, 'hostile');

  it('no body makes the service fail, and a refused one leaves nothing behind', async () => {
    const anything = fc.jsonValue({ maxDepth: 2 });
    const names = ['inputSchema', 'inputSchemaMapping', 'inboundIpRules', 'publicNetworkAccess', 'disableLocalAuth'];
    const spoiled = fc
      .tuple(valid, fc.constantFrom(...names), anything)
      .map(([properties, name, value]) => ({ ...properties, [name]: value }));
    const body = fc.record(
      {
        location: fc.constant('westeurope'),
        properties: fc.oneof(valid, spoiled, anything),
        identity: fc.oneof(fc.constant({ type: 'SystemAssigned' }), anything),
        tags: fc.oneof(fc.dictionary(fc.constantFrom('a', '__proto__', '\0'), fc.constantFrom('b', '\0')), anything),
        sku: fc.oneof(fc.record({ name: text }), anything),
        surprise: anything,
      },
      { requiredKeys: ['location'] },
    );
    await fc.assert(
      fc.asyncProperty(fc.oneof({ weight: 9, arbitrary: body }, anything), async (sent) => {
        const { status } = await grid.put('topics/hostile', JSON.stringify(sent));
        expect([201, 400]).toContain(status);
        expect((await grid.get('topics/hostile')).status).toBe(status === 201 ? 200 : 404);
        expect((await grid.delete('topics/hostile')).status).toBe(status === 201 ? 202 : 204);
      }),
      { numRuns: process.env.CLOUDJAR_SOAK === '1' ? 150 : 60 },
    );
  });
});
