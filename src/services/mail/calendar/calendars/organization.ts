import { etag } from '../../../../kernel/ids/index.ts';
import type { CalendarPermission } from '../types.ts';

/** The permission of the owner's organization. Every calendar has it from the start, and it cannot be removed. */
export const newOrganizationPermission = (): CalendarPermission => ({
  uid: etag(),
  role: 'freeBusyRead',
  address: null,
  isRemovable: false,
});
