import { type LegacyWork, lazyWork } from '../../../kernel/whole-service.ts';
import { DEADLINE, EXPIRE, SETTLE } from './work-items.ts';

const LIMITS = { concurrency: 8 };

export const SUBSCRIPTION_WORK: Readonly<Record<string, LegacyWork>> = {
  [SETTLE]: lazyWork(() => import('./due.ts').then((m) => m.settle), LIMITS),
  [DEADLINE]: lazyWork(() => import('./due.ts').then((m) => m.deadline), LIMITS),
  [EXPIRE]: lazyWork(() => import('./due.ts').then((m) => m.expire), LIMITS),
};
