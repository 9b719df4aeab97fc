import type { RuleDraft } from './rule.ts';

export interface Preset {
  /** In the address. */
  readonly id: string;
  readonly title: string;
  readonly rule: RuleDraft;
}

/** What people most often want to fail, to begin with. */
export const PRESETS: readonly Preset[] = [
  { id: 'throttle', title: 'Throttle', rule: { effect: { status: 429, headers: { 'retry-after': '5' } }, count: 3 } },
  { id: 'outage', title: 'Outage', rule: { effect: { status: 503 } } },
  { id: 'flaky', title: 'Flaky', rule: { effect: { status: 500 }, share: 0.1 } },
  { id: 'slow', title: 'Slow', rule: { effect: { latencyMs: 3_000 } } },
  { id: 'cut', title: 'Cut connection', rule: { effect: { drop: true } } },
  { id: 'lost', title: 'Lost answer', rule: { effect: { dropAnswer: true }, count: 1 } },
  { id: 'twice', title: 'Deliver twice', rule: { match: { direction: 'outbound' }, effect: { duplicate: true } } },
  {
    id: 'receiver',
    title: 'Failing receiver',
    rule: { match: { direction: 'outbound' }, effect: { status: 500 }, count: 3 },
  },
];

export const DEFAULT_PRESET = 'throttle';
