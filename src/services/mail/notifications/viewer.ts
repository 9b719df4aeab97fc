import { parseQuery } from '../../../kernel/http/index.ts';
import { readPreferences } from '../api/preferences.ts';
import type { Viewer } from '../api/request.ts';
import type { Mailbox } from '../mailbox/types.ts';
import type { Subscription } from './types.ts';

/** Notifications show items as the subscriber would read them. */
export const viewerOf = (
  { origin, version, isBasic, immutableIds, select = '' }: Subscription,
  mailbox: Mailbox,
): Viewer => ({
  origin,
  version,
  mailbox,
  isBasic,
  prefer: { ...readPreferences(undefined, 'GET'), immutableIds },
  query: parseQuery(`$select=${encodeURIComponent(select)}`),
});
