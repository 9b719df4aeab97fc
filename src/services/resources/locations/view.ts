import { REGIONS, type Region } from '../../../kernel/arm/index.ts';
import { EDGE_ZONES, type EdgeZone, LOGICAL_REGIONS, type LogicalRegion } from './logical.ts';
import { physicalZones } from './zones.ts';

/** The rows of a list of locations, with the members of all api-versions. */
export function locationViews(subscriptionId: string, withEdgeZones: boolean): unknown[] {
  const idOf = (name: string): string => `/subscriptions/${subscriptionId}/locations/${name}`;
  return [
    ...REGIONS.map((region) => physical(region, subscriptionId, idOf)),
    ...LOGICAL_REGIONS.map((region) => logical(region, idOf)),
    ...(withEdgeZones ? EDGE_ZONES.map((zone) => edgeZone(zone, idOf)) : []),
  ];
}

type IdOf = (name: string) => string;

function physical(region: Region, subscriptionId: string, idOf: IdOf): Record<string, unknown> {
  const { name, displayName, geographyGroup, geography, longitude, latitude, physicalLocation, pairedWith } = region;
  const mappings = region.zones && [...physicalZones(subscriptionId, name)];
  return {
    id: idOf(name),
    name,
    type: 'Region',
    displayName,
    regionalDisplayName: `(${geographyGroup}) ${displayName}`,
    longitude,
    latitude,
    metadata: {
      regionType: 'Physical',
      // Canary regions have zones, too, but are not recommended.
      regionCategory: region.zones && !geography.startsWith('Canary') ? 'Recommended' : 'Other',
      geography,
      geographyGroup,
      longitude,
      latitude,
      physicalLocation,
      pairedRegion: pairedWith === undefined ? [] : [{ name: pairedWith, id: idOf(pairedWith) }],
    },
    ...(mappings && {
      availabilityZoneMappings: mappings.map(([logicalZone, physicalZone]) => ({ logicalZone, physicalZone })),
    }),
  };
}

const logical = ({ name, displayName, geographyGroup }: LogicalRegion, idOf: IdOf): Record<string, unknown> => ({
  id: idOf(name),
  name,
  type: 'Region',
  displayName,
  regionalDisplayName: displayName,
  metadata: {
    regionType: 'Logical',
    regionCategory: 'Other',
    ...(geographyGroup !== undefined && { geography: displayName, geographyGroup }),
  },
});

function edgeZone({ name, displayName, homeLocation, longitude, latitude }: EdgeZone, idOf: IdOf) {
  const { geography, geographyGroup } = REGIONS.find((region) => region.name === homeLocation) as Region;
  return {
    id: idOf(name),
    name,
    type: 'EdgeZone',
    displayName,
    regionalDisplayName: `(${geographyGroup}) ${displayName}`,
    metadata: {
      regionType: 'Physical',
      regionCategory: 'Extended',
      geography,
      geographyGroup,
      longitude,
      latitude,
      physicalLocation: displayName,
      pairedRegion: [],
      homeLocation,
    },
  };
}
