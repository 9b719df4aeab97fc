import { MANAGEMENT } from '../../kernel/arm/family.ts';
import type { Service } from '../../kernel/service.ts';
import { dnsNames, groupSecrets, keptLogs, removals, runtimes } from './collections.ts';

/** Container groups: containers that share a lifecycle, a network and volumes, run for real where there is an engine. */
export const CONTAINERS: Service = {
  name: 'containers',
  title: 'Container groups',
  family: MANAGEMENT,
  mounts: [],
  routes: [],
  collections: [runtimes, removals, groupSecrets, dnsNames, keptLogs],
};
