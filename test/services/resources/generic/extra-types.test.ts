import { expect, it } from 'vitest';
import { ConfigError } from '../../../../src/kernel/config/config.ts';
import { startJar } from '../../../../src/testing/index.ts';
import { onAnyStore, SUBSCRIPTION } from '../../../support/jars.ts';

const GROUP = `/subscriptions/${SUBSCRIPTION}/resourceGroups/extra`;
const V = 'api-version=2025-04-01';

const extraTypes = [
  'Contoso.Widgets/gadgets',
  'Contoso.Widgets/gadgets/parts',
  { type: 'Microsoft.Quantum/workspaces', apiVersions: ['2024-01-01'], locations: ['eastus'], movable: false },
];

onAnyStore(
  'types of records that the configuration adds',
  (bench) => {
    const at = (rest: string, version = V) => `${GROUP}/providers/${rest}?${version}`;

    it('are made, listed, shown as providers and deleted like all others', async () => {
      await bench.call('PUT', `${GROUP}?${V}`, { body: { location: 'eastus' } });
      const body = { location: 'westus', properties: { a: 1 } };
      expect((await bench.call('PUT', at('Contoso.Widgets/gadgets/g/parts/p'), { body: {} })).status).toBe(404);
      expect((await bench.call('PUT', at('Contoso.Widgets/gadgets/g'), { body })).status).toBe(201);
      expect((await bench.call('PUT', at('Contoso.Widgets/gadgets/g/parts/p'), { body: {} })).status).toBe(201);
      const wrong = await bench.call('PUT', at('Vendor.Quantum/workspaces/q', 'api-version=2024-01-01'), { body });
      expect(wrong.body.error.code).toBe('LocationNotAvailableForResourceType');
      const quantum = at('Microsoft.Quantum/workspaces/q', 'api-version=2024-01-01');
      expect((await bench.call('PUT', quantum, { body: { location: 'eastus' } })).status).toBe(201);
      const { body: provider } = await bench.call(
        'GET',
        `/subscriptions/${SUBSCRIPTION}/providers/Contoso.Widgets?${V}`,
      );
      expect(provider).toMatchObject({ namespace: 'Contoso.Widgets', registrationState: 'Registered' });
      await bench.call('DELETE', at('Contoso.Widgets/gadgets/g'));
      expect((await bench.call('HEAD', at('Contoso.Widgets/gadgets/g/parts/p'))).status).toBe(404);
      await bench.call('PUT', at('Contoso.Widgets/gadgets/g'), { body });
      await bench.call('PUT', at('Contoso.Widgets/gadgets/g/parts/p'), { body: {} });
      await bench.call('DELETE', `${GROUP}?${V}`);
      await bench.jar.settled();
      const { body: left } = await bench.call('GET', `/subscriptions/${SUBSCRIPTION}/resources?${V}`);
      expect(left.value).toEqual([]);
    });
  },
  { settings: { resources: { extraTypes } } },
);

it.each([
  ['a type that the jar has', ['Microsoft.EventGrid/topics'], 'already'],
  ['one twice', ['Contoso.X/y', 'contoso.x/Y'], 'twice'],
  ['a child without its parent', ['Contoso.X/y/z'], 'parent'],
  ['what is no type', ['widgets'], 'extraTypes'],
  ['a wrong version', [{ type: 'Contoso.X/y', apiVersions: ['new'] }], 'extraTypes'],
])('a start refuses %s', async (_what, types, words) => {
  const started = startJar({ settings: { resources: { extraTypes: types } } });
  await expect(started).rejects.toBeInstanceOf(ConfigError);
  await expect(started).rejects.toThrow(words);
});
