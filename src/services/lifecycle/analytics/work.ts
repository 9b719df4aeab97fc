import { type LegacyWork, lazyWork } from '../../../kernel/whole-service.ts';
import { FORGET_DAY } from './collections.ts';

export const ANALYTICS_WORK: Readonly<Record<string, LegacyWork>> = {
  [FORGET_DAY]: lazyWork(() => import('./forget.ts').then(({ forgetDay }) => forgetDay), { concurrency: 2 }),
};
