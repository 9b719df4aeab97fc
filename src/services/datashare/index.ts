import { MANAGEMENT } from '../../kernel/arm/index.ts';
import type { Service } from '../../kernel/service/index.ts';
import {
  dataSets,
  emailRegistrations,
  invitations,
  mappings,
  removals,
  runDataSets,
  runs,
  shareSubscriptions,
  shares,
  storageOwners,
  synchronizationSettings,
  triggers,
} from './collections.ts';
import { copied, copyProgress } from './copying/collections.ts';
import { QUOTAS } from './limits.ts';
import { NAMESPACE, RESOURCE_TYPES } from './types.ts';
import { WORK } from './work.ts';

/** Data sharing between tenants: data of a provider is copied to consumers who accepted the share. */
export const DATA_SHARE: Service = {
  name: 'datashare',
  title: 'Data sharing',
  family: MANAGEMENT,
  mounts: [],
  claims: [`/providers/${NAMESPACE}`],
  collections: [
    shares,
    dataSets,
    synchronizationSettings,
    invitations,
    shareSubscriptions,
    mappings,
    triggers,
    runs,
    runDataSets,
    emailRegistrations,
    storageOwners,
    removals,
    copied,
    copyProgress,
  ],
  limits: Object.values(QUOTAS),
  resourceTypes: RESOURCE_TYPES,
  work: WORK,
  settings: { load: async () => (await import('./settings-schema.ts')).settingsRules },
  open: async (jar) => (await import('./open.ts')).openDataShare(jar),
};
