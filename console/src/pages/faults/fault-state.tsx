import { Badge } from '../../shared/ui/badge.tsx';
import type { Rule } from './rule.ts';

const STATES = {
  armed: { tone: 'warning', word: 'armed' },
  exhausted: { tone: 'neutral', word: 'used up' },
  disabled: { tone: 'neutral', word: 'disabled' },
} as const;

/** An armed rule is what deserves attention: it is why requests fail. */
export function FaultState({ state }: { readonly state: Rule['state'] }) {
  const { tone, word } = STATES[state];
  return <Badge tone={tone}>{word}</Badge>;
}
