import type { SecurableKind } from '../../core/kind.ts';
import { DROP_SHARED, dropSharedId } from '../work.ts';
import { dropShareCounts } from './counts.ts';

/** Shares: sets of objects that recipients may read. */
export const SHARES: SecurableKind = {
  type: 'share',
  above: 'metastore',
  idField: 'id',
  limits: ['shares'],
  creates: 'CREATE_SHARE',
  renames: true,
  fields: {
    comment: { type: 'string', most: 65_536 },
    storage_root: { type: 'string', most: 4096 },
    replication_config: { type: 'object' },
    serverless_budget_policy_id: { type: 'string', most: 255 },
  },
  changes: ['comment', 'storage_root', 'replication_config', 'serverless_budget_policy_id'],
  hooks: {
    async removed(tx, { clock }, share) {
      await dropShareCounts(tx, share);
      await tx.schedule(DROP_SHARED.at(clock.now(), { share: share.id }, dropSharedId(share.id)));
    },
  },
  view: ({ fields }) => ({
    ...(typeof fields.storage_root === 'string' && { storage_location: fields.storage_root }),
  }),
};
