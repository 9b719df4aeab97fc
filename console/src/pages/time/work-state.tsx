import { Badge, StateBadge } from '../../shared/ui/badge.tsx';
import type { WorkItem } from './addresses.ts';

/** Work that waits for its time is as it should be; work that waits for another attempt is not. */
export function WorkState({ state, attempts }: Pick<WorkItem, 'state' | 'attempts'>) {
  if (state === 'leased') return <Badge tone="info">running</Badge>;
  if (state === 'waiting') return attempts > 0 ? <Badge tone="warning">retrying</Badge> : <Badge>waiting</Badge>;
  return <StateBadge state={state} />;
}
