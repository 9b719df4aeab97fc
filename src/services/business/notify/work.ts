import { type LegacyWork, lazyWork } from '../../../kernel/whole-service.ts';

/** Closes a window: what has gathered in it is sent. */
export const NOTIFY = 'business.notify';
/** Removes traces of changes beyond the number that is kept. */
export const PRUNE_CHANGES = 'business.prune-changes';

export const NOTIFY_WORK: Readonly<Record<string, LegacyWork>> = {
  [NOTIFY]: lazyWork(() => import('./close-window.ts').then(({ closeWindow }) => closeWindow), {
    maxAttempts: Number.POSITIVE_INFINITY,
  }),
  [PRUNE_CHANGES]: lazyWork(() => import('./prune-changes.ts').then(({ pruneChanges }) => pruneChanges)),
};
