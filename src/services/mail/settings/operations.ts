import type { Operation } from '../api/request.ts';
import { getSetting, getSettings, patchSettings } from './handle.ts';

export const SETTINGS_OPERATIONS: readonly Operation[] = [
  {
    method: 'GET',
    path: 'mailboxSettings',
    name: 'GetMailboxSettings',
    summary: 'The settings of a mailbox',
    needs: 'settingsRead',
    handle: getSettings,
  },
  {
    method: 'GET',
    path: 'mailboxSettings/{setting}',
    name: 'GetMailboxSetting',
    summary: 'One setting of a mailbox',
    needs: 'settingsRead',
    handle: getSetting,
  },
  {
    method: 'PATCH',
    path: 'mailboxSettings',
    name: 'UpdateMailboxSettings',
    summary: 'Changes settings of a mailbox',
    needs: 'settingsWrite',
    handle: patchSettings,
  },
];
