import { Badge, StateBadge } from '../../shared/ui/badge.tsx';
import type { Group } from './api.ts';

type Shown = Pick<Group, 'state' | 'provisioningState' | 'trouble'>;

/** What is wrong if something is, otherwise how far the deployment is, otherwise the state of the containers. */
export function GroupState({ group: { state, provisioningState, trouble } }: { readonly group: Shown }) {
  if (trouble !== undefined) return <Badge tone={trouble === 'Unhealthy' ? 'warning' : 'failure'}>{trouble}</Badge>;
  return <StateBadge state={provisioningState === 'Succeeded' ? state : provisioningState} />;
}
