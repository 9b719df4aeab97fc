import { expect, it } from 'vitest';
import { OTHER_SUBSCRIPTION, onAnyStore, SUBSCRIPTION } from '../../support/jars.ts';

interface Row {
  readonly name: string;
  readonly type: string;
  readonly metadata: Readonly<Record<string, unknown>> & { readonly regionType: string };
  readonly availabilityZoneMappings?: readonly { readonly logicalZone: string; readonly physicalZone: string }[];
}

onAnyStore('locations', (bench) => {
  const rows = async (version = '2022-12-01', query = '', subscription = SUBSCRIPTION, user = 'admin') => {
    const token = await bench.jar.token({ user });
    const path = `/subscriptions/${subscription}/locations?api-version=${version}${query}`;
    return (await bench.call('GET', path, { token })).body.value as Row[];
  };
  const named = (list: readonly Row[], name: string) => list.find((row) => row.name === name);

  it('are 60 physical regions, 37 of them with zones, and 40 logical ones', async () => {
    const list = await rows();
    const physical = list.filter(({ metadata }) => metadata.regionType === 'Physical');
    expect(physical).toHaveLength(60);
    expect(list.filter(({ availabilityZoneMappings }) => availabilityZoneMappings)).toHaveLength(37);
    expect(list).toHaveLength(100);
    expect(new Set(list.map(({ name }) => name)).size).toBe(100);
    expect(new Set(list.map(({ type }) => type))).toEqual(new Set(['Region']));
    expect(named(list, 'eastus')).toEqual({
      id: `/subscriptions/${SUBSCRIPTION}/locations/eastus`,
      name: 'eastus',
      type: 'Region',
      displayName: 'East US',
      regionalDisplayName: '(US) East US',
      metadata: {
        regionType: 'Physical',
        regionCategory: 'Recommended',
        geography: 'United States',
        geographyGroup: 'US',
        longitude: '-79.8164',
        latitude: '37.3719',
        physicalLocation: 'Virginia',
        pairedRegion: [{ name: 'westus', id: `/subscriptions/${SUBSCRIPTION}/locations/westus` }],
      },
      availabilityZoneMappings: [
        { logicalZone: '1', physicalZone: expect.stringMatching(/^eastus-az[123]$/) },
        { logicalZone: '2', physicalZone: expect.stringMatching(/^eastus-az[123]$/) },
        { logicalZone: '3', physicalZone: expect.stringMatching(/^eastus-az[123]$/) },
      ],
    });
    expect(named(list, 'global')?.metadata).toEqual({ regionType: 'Logical', regionCategory: 'Other' });
    expect(named(list, 'westus')?.metadata).toMatchObject({ regionCategory: 'Other' });
  });

  it('have zones in an order of each subscription, which does not change', async () => {
    const zones = async (subscription: string, user: string) =>
      (await rows('2022-12-01', '', subscription, user)).map((row) => row.availabilityZoneMappings ?? []);
    const own = await zones(SUBSCRIPTION, 'admin');
    expect(own).toEqual(await zones(SUBSCRIPTION, 'admin'));
    expect(own).not.toEqual(await zones(OTHER_SUBSCRIPTION, 'other'));
    for (const mappings of own.filter((each) => each.length > 0))
      expect(new Set(mappings.map(({ physicalZone }) => physicalZone)).size).toBe(3);
  });

  it('have the shape of their api-version', async () => {
    const at = async (version: string) => named(await rows(version), 'eastus') as Row;
    expect(Object.keys(await at('2022-09-01'))).toEqual([
      'id',
      'name',
      'type',
      'displayName',
      'regionalDisplayName',
      'metadata',
    ]);
    const older = await at('2019-11-01');
    expect(Object.keys(older)).toEqual(['id', 'name', 'displayName', 'regionalDisplayName', 'metadata']);
    expect(older.metadata).not.toHaveProperty('geography');
    for (const version of ['2016-06-01', '2019-06-01'])
      expect(Object.keys(await at(version))).toEqual(['id', 'name', 'displayName', 'longitude', 'latitude']);
  });

  it('include edge zones where they are asked for', async () => {
    const list = await rows('2022-12-01', '&includeExtendedLocations=true');
    const edges = list.filter(({ type }) => type === 'EdgeZone');
    expect(edges.length).toBeGreaterThan(0);
    expect(list).toHaveLength(100 + edges.length);
    for (const { metadata } of edges) expect(named(list, String(metadata.homeLocation))?.type).toBe('Region');
  });
});
