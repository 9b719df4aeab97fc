import { type LegacyWork, lazyWork } from '../../../kernel/whole-service.ts';

/** Ends a write to a topic or a domain. */
export const FINISH = 'events.finish-topic';

export const TOPIC_WORK: Readonly<Record<string, LegacyWork>> = {
  [FINISH]: lazyWork(() => import('./finish.ts').then((m) => m.finishWrite)),
};
