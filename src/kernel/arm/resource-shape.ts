import { entityShape, type PropertyShape } from '../odata/shape.ts';
import { type Resource, resources } from './collections.ts';
import { TAGS } from './filter.ts';

const named = (field: string): PropertyShape => ({ type: 'Edm.String', field, ignoreCase: true });

/** Properties by which every list of resources can be filtered and ordered. */
export const resourceShape = entityShape<Resource>({
  name: 'resources',
  collection: resources,
  properties: {
    resourceType: named('type'),
    name: named('name'),
    location: named('location'),
    resourceGroup: named('group'),
    tags: TAGS,
  },
  scan: 'bounded',
});
