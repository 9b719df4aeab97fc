import type { Query } from '../../../kernel/store/types.ts';
import { type Purge, purgeOf } from '../apps/on-delete.ts';
import { symbols, symbolUploads } from '../symbols/collections.ts';
import {
  attachments,
  fileParts,
  groupDevices,
  reportBodies,
  reportGroups,
  reports,
  retentions,
} from './collections.ts';

/** What an app leaves behind of its reports and symbols. All keys begin with the app. */
const ofApp = (appId: string): Pick<Query, 'prefix'> => ({ prefix: `${appId}/` });

/** Documents that may be large, removed with fewer at once. */
const LARGE_AT_ONCE = 10;

/** Says that it was all it was asked for while there may be more. */
const fewAtOnce =
  (purge: Purge): Purge =>
  async (tx, appId, most) => {
    const removed = await purge(tx, appId, Math.min(most, LARGE_AT_ONCE));
    return removed === LARGE_AT_ONCE ? most : removed;
  };

const PURGES: readonly Purge[] = [
  purgeOf(reports, ofApp),
  fewAtOnce(purgeOf(reportBodies, ofApp)),
  purgeOf(reportGroups, ofApp),
  purgeOf(groupDevices, ofApp),
  purgeOf(attachments, ofApp),
  purgeOf(symbolUploads, ofApp),
  purgeOf(symbols, ofApp),
  fewAtOnce(purgeOf(fileParts, ofApp)),
  purgeOf(retentions, (appId) => ({ prefix: appId })),
];

/** As one: done when none of them has anything left. */
export const purgeDiagnostics: Purge = async (tx, appId, most) => {
  let removed = 0;
  for (const purge of PURGES) {
    if (removed < most) removed += await purge(tx, appId, most - removed);
  }
  return removed;
};
