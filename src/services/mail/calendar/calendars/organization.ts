import { etag } from '../../../../kernel/ids/index.ts';
import type { CalendarPermission } from '../types.ts';

/** The row of the own organization, which every calendar has from the start and which cannot be removed. */
export const newOrganizationPermission = (): CalendarPermission => ({
  uid: etag(),
  role: 'freeBusyRead',
  address: null,
  isRemovable: false,
});
