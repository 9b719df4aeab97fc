import { Badge } from '../../shared/ui/badge.tsx';
import type { Mode } from './limit.ts';

const TONES = { enforced: 'neutral', shadow: 'info', unlimited: 'warning' } as const;

export function ModeBadge({ mode }: { readonly mode: Mode }) {
  return <Badge tone={TONES[mode]}>{mode}</Badge>;
}
