import type { Query } from '../../../kernel/store/index.ts';
import { combinedPurge, inSmallSlices, purgeOf } from '../apps/deletion.ts';
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

/** Reports and symbols of a deleted app. All keys begin with the app id. */
const ofApp = (appId: string): Pick<Query, 'prefix'> => ({ prefix: `${appId}/` });

export const purgeDiagnostics = combinedPurge([
  purgeOf(reports, ofApp),
  inSmallSlices(purgeOf(reportBodies, ofApp)),
  purgeOf(reportGroups, ofApp),
  purgeOf(groupDevices, ofApp),
  purgeOf(attachments, ofApp),
  purgeOf(symbolUploads, ofApp),
  purgeOf(symbols, ofApp),
  inSmallSlices(purgeOf(fileParts, ofApp)),
  purgeOf(retentions, (appId) => ({ prefix: appId })),
]);
