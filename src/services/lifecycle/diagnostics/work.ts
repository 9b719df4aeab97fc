import { type LegacyWork, lazyWork } from '../../../kernel/whole-service.ts';
import { RETENTION_WORK } from './retention-due.ts';

export const DIAGNOSTICS_WORK: Readonly<Record<string, LegacyWork>> = {
  [RETENTION_WORK]: lazyWork(() => import('./retention.ts').then(({ reportRetention }) => reportRetention), {
    concurrency: 2,
  }),
};
