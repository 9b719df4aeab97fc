import type { Service } from '../../kernel/service/index.ts';
import { groupOperations, lastVersions } from './collections.ts';
import { MANAGEMENT_GROUPS_FAMILY } from './family.ts';
import { GROUP_LIMITS } from './limits.ts';
import { NAMESPACE, RESOURCE_TYPES } from './types.ts';
import { CREATE, DELETE, FORGET } from './work.ts';

/** Management groups: the tree above subscriptions, at whose groups principals hold roles and events can be subscribed to. */
export const MANAGEMENT_GROUPS: Service = {
  name: 'management-groups',
  title: 'Management groups',
  family: MANAGEMENT_GROUPS_FAMILY,
  mounts: [],
  claims: [`/providers/${NAMESPACE}`],
  collections: [groupOperations, lastVersions],
  limits: GROUP_LIMITS,
  resourceTypes: RESOURCE_TYPES,
  work: [CREATE, DELETE, FORGET],
  open: async () => (await import('./open.ts')).openManagementGroups(),
};
