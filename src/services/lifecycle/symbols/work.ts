import { type LegacyWork, lazyWork } from '../../../kernel/whole-service.ts';
import { EXPIRE_UPLOAD } from './collections.ts';

export const SYMBOL_WORK: Readonly<Record<string, LegacyWork>> = {
  [EXPIRE_UPLOAD]: lazyWork(() => import('./store.ts').then(({ expireUpload }) => expireUpload), { concurrency: 2 }),
};
