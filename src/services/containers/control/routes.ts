import { type Route, routeOf } from '../../../kernel/http/index.ts';
import { getGroup, listGroups } from './groups.ts';

/** Container groups of all tenants and subscriptions, for the jar's administrator. */
export const groupControl: readonly Route[] = [
  routeOf(
    {
      method: 'GET',
      path: '/_jar/containers/groups',
      operation: 'Jar_ListContainerGroups',
      summary: 'The container groups of all subscriptions, with their states, addresses and restarts',
    },
    listGroups,
  ),
  routeOf(
    {
      method: 'GET',
      path: '/_jar/containers/groups/{subscription}/{resourceGroup}/{name}',
      operation: 'Jar_GetContainerGroup',
      summary: 'One container group: states, restarts, probes and events of its containers, and the states before',
    },
    getGroup,
  ),
];
