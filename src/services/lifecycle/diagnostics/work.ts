import { lazyWork, type WorkHandler } from '../../../kernel/service.ts';
import { RETENTION_WORK } from './retention-due.ts';

export const DIAGNOSTICS_WORK: Readonly<Record<string, WorkHandler>> = {
  [RETENTION_WORK]: lazyWork(() => import('./retention.ts').then(({ reportRetention }) => reportRetention), {
    concurrency: 2,
  }),
};
