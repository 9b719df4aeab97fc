import type { Operation } from '../api/request.ts';
import { foldersDelta } from './folders.ts';
import { messagesDelta } from './messages.ts';

export const DELTA_OPERATIONS: readonly Operation[] = [
  {
    method: 'GET',
    path: 'messages/delta',
    name: 'DeltaMessages',
    summary: 'Messages of a folder that were added, changed or removed since the last round',
    needs: 'mailBasic',
    handle: messagesDelta,
  },
  {
    method: 'GET',
    path: 'mailFolders/delta',
    name: 'DeltaFolders',
    summary: 'Folders that were added, changed or removed since the last round',
    needs: 'mailBasic',
    handle: foldersDelta,
  },
];
