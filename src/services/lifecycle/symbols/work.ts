import { lazyWork, type WorkHandler } from '../../../kernel/service.ts';
import { EXPIRE_UPLOAD } from './collections.ts';

export const SYMBOL_WORK: Readonly<Record<string, WorkHandler>> = {
  [EXPIRE_UPLOAD]: lazyWork(() => import('./store.ts').then(({ expireUpload }) => expireUpload), { concurrency: 2 }),
};
