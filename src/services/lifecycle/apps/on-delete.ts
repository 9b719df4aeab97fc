import { dropEventsOfApp, purgeAnalytics } from '../analytics/on-delete.ts';
import { purgeDiagnostics } from '../diagnostics/on-delete.ts';
import { dropGroupsOfApp } from '../distribution/drop-groups.ts';
import { dropExportsOfApp, purgeJournal } from '../exports/drop.ts';
import { dropInvitationsOfApp } from '../invitations/drop.ts';
import { dropTokensOfApp } from '../tokens/manage.ts';
import type { OnDelete, Purge } from './deletion.ts';
import { dropMembers } from './members.ts';
import { dropPictureOfApp } from './pictures.ts';

/** Data deleted with an app. Any module that keeps data per app adds a line to one of the two lists. */

export const ON_DELETE: readonly OnDelete[] = [
  dropMembers,
  dropTokensOfApp,
  dropInvitationsOfApp,
  dropPictureOfApp,
  dropGroupsOfApp,
  dropEventsOfApp,
  dropExportsOfApp,
];

export const PURGES: readonly Purge[] = [purgeAnalytics, purgeDiagnostics, purgeJournal];
