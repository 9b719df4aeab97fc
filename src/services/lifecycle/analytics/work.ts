import { lazyWork, type WorkHandler } from '../../../kernel/service.ts';
import { FORGET_DAY } from './collections.ts';

export const ANALYTICS_WORK: Readonly<Record<string, WorkHandler>> = {
  [FORGET_DAY]: lazyWork(() => import('./forget.ts').then(({ forgetDay }) => forgetDay), { concurrency: 2 }),
};
