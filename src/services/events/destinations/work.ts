import { type LegacyWork, lazyWork } from '../../../kernel/whole-service.ts';
import { EXPIRY_WORK } from './expiry-item.ts';

export const DESTINATION_WORK: Readonly<Record<string, LegacyWork>> = {
  [EXPIRY_WORK]: lazyWork(() => import('./own-queue-expiry.ts').then((code) => code.queueExpiry)),
};
