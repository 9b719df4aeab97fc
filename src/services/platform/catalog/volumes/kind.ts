import { errors } from '../../errors.ts';
import { ROOT } from '../../tree/collections.ts';
import { schedulePurge } from '../../tree/nodes.ts';
import { metastoreOf } from '../core/chain.ts';
import type { SecurableKind } from '../core/kind.ts';
import { checkAddress, managedLocation, requireLocation } from '../core/storage.ts';
import { catalogOperations } from '../core/wire.ts';
import { RETENTION_MS } from '../tables/kind.ts';
import { treeOfVolume } from './tree.ts';

const TYPES = ['MANAGED', 'EXTERNAL'] as const;

/** Volumes: directories of files in a schema. `/api/2.0/fs` serves the files. */
export const VOLUMES: SecurableKind = {
  type: 'volume',
  above: 'schema',
  idField: 'volume_id',
  limits: ['schema-volumes', 'metastore-volumes'],
  creates: 'CREATE_VOLUME',
  renames: true,
  fields: {
    volume_type: { type: 'string', words: TYPES, required: true },
    storage_location: { type: 'string', most: 4096 },
    comment: { type: 'string', most: 65_536 },
  },
  changes: ['comment'],
  hooks: {
    async check(tx, call, { fields, above }, before) {
      const { volume_type: type, storage_location: location } = fields;
      if (before) return undefined;
      if (type === 'MANAGED') {
        if (location !== undefined)
          throw errors.INVALID_PARAMETER_VALUE({ reason: 'CreateVolume storage_location can not be provided.' });
        return undefined;
      }
      if (typeof location !== 'string' || location === '')
        throw errors.INVALID_PARAMETER_VALUE({ reason: 'CreateVolume Missing required field: storage_location' });
      const address = checkAddress('storage_location', location);
      await requireLocation(tx, call, metastoreOf(above), address, 'CREATE_EXTERNAL_VOLUME');
      return { fields: { storage_location: address } };
    },
    async removed(tx, { clock }, volume) {
      // In a catalog of a share, the files belong to the provider.
      if (volume.extra?.source !== undefined) return;
      // The files of an external volume do not belong to the platform and stay.
      if (volume.fields.volume_type === 'MANAGED')
        await schedulePurge(tx, treeOfVolume(volume), ROOT, clock.now() + RETENTION_MS);
    },
  },
  view: ({ fields, extra }, { chain }) => ({
    ...(fields.volume_type === 'MANAGED' &&
      extra?.source === undefined && { storage_location: managedLocation(chain) }),
  }),
};

/** A list without a size is paginated too. */
const SIZES = { most: 10_000, usual: 10_000 } as const;

export const VOLUME_OPERATIONS = catalogOperations(VOLUMES, {
  of: 'Volumes',
  operations: 'volumes',
  path: '/volumes',
  array: 'volumes',
  list: () => ({ sizes: SIZES }),
});
