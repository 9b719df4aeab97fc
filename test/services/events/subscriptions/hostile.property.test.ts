import fc from 'fast-check';
import { expect, it } from 'vitest';
import { onBothStores } from '../../../support/jars.ts';
import { AT_GROUP, http, makeGroup, OPTIONS } from './bench.ts';

// biome-ignore lint/suspicious/noExplicitAny: anything is put into it
type Body = any;

const whole = (url: string): Body => ({
  destination: {
    endpointType: 'WebHook',
    properties: {
      endpointUrl: url,
      maxEventsPerBatch: 5,
      preferredBatchSizeInKilobytes: 100,
      azureActiveDirectoryTenantId: '10000000-0000-4000-8000-000000000001',
      minimumTlsVersionAllowed: '1.2',
      deliveryAttributeMappings: [
        { name: 'X-A', type: 'Static', properties: { value: 'a', isSecret: true } },
        { name: 'X-B', type: 'Dynamic', properties: { sourceField: 'data.b' } },
      ],
    },
  },
  deadLetterDestination: {
    endpointType: 'StorageBlob',
    properties: {
      resourceId: `${AT_GROUP}/providers/Microsoft.Storage/storageAccounts/shop`,
      blobContainerName: 'dead',
    },
  },
  filter: {
    subjectBeginsWith: '/none',
    isSubjectCaseSensitive: true,
    includedEventTypes: ['Nothing.Of.The.Kind'],
    advancedFilters: [{ operatorType: 'NumberInRange', key: 'data.n', values: [[1, 2]] }],
  },
  labels: ['a'],
  expirationTimeUtc: '2999-01-01T00:00:00Z',
  eventDeliverySchema: 'EventGridSchema',
  retryPolicy: { maxDeliveryAttempts: 3, eventTimeToLiveInMinutes: 5 },
});

type Path = readonly (string | number)[];

const pathsIn = (value: Body, at: Path = []): Path[] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.keys(value).flatMap((key) => [[...at, key], ...pathsIn(value[key], [...at, key])]);

const PATHS = pathsIn(whole(''));

const nasty = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom<unknown>('', ' ', '\0', '-', '__proto__', -1, 0, 0.1, 1e308, 2 ** 31, [], {}, [[]], [{}], null),
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.constantFrom(
    '\ud800',
    'a\udfff',
    '\u2028',
    'https://',
    'https://[::',
    'https://u:p@h/',
    'https://x.localhost:1/\0',
  ),
  fc.constantFrom('x', '/', 'a/').map((part) => part.repeat(5000)),
);

function put(body: Body, path: Path, value: unknown): void {
  let at = body;
  for (const key of path.slice(0, -1)) at = at?.[key];
  if (typeof at === 'object' && at !== null) at[path.at(-1) as string] = value;
}

onBothStores(
  'an event subscription of anything',
  (bench) => {
    it('is taken, or refused with every mistake named by its path, and never a fault of the jar', async () => {
      await makeGroup(bench);
      const { httpsUrl } = bench.jar.inbox('fuzzed');
      const answered = new Set<string>();
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.tuple(fc.constantFrom(...PATHS), nasty), { minLength: 1, maxLength: 3 }),
          fc.boolean(),
          async (changes, patched) => {
            const properties = whole(`${httpsUrl}?a=1`);
            for (const [path, value] of changes) put(properties, path, value);
            if (patched) await http(bench).put('fuzzed', whole(httpsUrl));
            const reply = patched
              ? await http(bench).patch('fuzzed', properties)
              : await http(bench).put('fuzzed', properties);
            expect([201, 400]).toContain(reply.status);
            answered.add(reply.body.error?.code ?? 'taken');
            if (reply.status === 400 && reply.body.error.code !== 'InvalidRequestContent') {
              expect(reply.body.error.code).toBe('InvalidRequest');
              expect(reply.body.error.details.length).toBeGreaterThan(0);
              for (const { target } of reply.body.error.details)
                expect(target).toMatch(patched ? /^[a-zA-Z]+/ : /^properties\.[a-zA-Z]+/);
            }
            const shown = await http(bench).get('fuzzed');
            if (reply.status === 201) {
              const again = await bench.call('PUT', http(bench).path('fuzzed'), { body: shown.body });
              expect(again.status).toBe(201);
            }
          },
        ),
        // Includes valid bodies and certainly invalid ones, so that both always occur.
        {
          numRuns: process.env.CLOUDJAR_SOAK === '1' ? 60 : 30,
          examples: [
            [[], false],
            [[[['filter', 'subjectBeginsWith'], 'x'.repeat(5000)]], false],
          ],
        },
      );
      expect([...answered]).toEqual(expect.arrayContaining(['taken', 'InvalidRequest']));
      await http(bench).remove('fuzzed');
    });
  },
  OPTIONS,
);
