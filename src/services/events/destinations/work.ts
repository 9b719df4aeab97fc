import { lazyWork, type WorkHandler } from '../../../kernel/service.ts';
import { EXPIRY_WORK } from './expiry-item.ts';

export const DESTINATION_WORK: Readonly<Record<string, WorkHandler>> = {
  [EXPIRY_WORK]: lazyWork(() => import('./own-queue-expiry.ts').then((code) => code.queueExpiry)),
};
