import { type EntityShape, entityShape, type PropertyShape } from '../../../../kernel/odata/index.ts';
import { calendarGroups, calendars } from '../../collections.ts';
import type { Calendar, CalendarGroup } from '../types.ts';

/** Properties by which lists of calendars and calendar groups can be filtered and ordered. */

const shown: PropertyShape = { type: 'Edm.String', filterable: false, orderable: false };

export const calendarShape: EntityShape<Calendar> = entityShape<Calendar>({
  name: 'calendar',
  collection: calendars,
  properties: {
    id: shown,
    name: { type: 'Edm.String', field: 'name', ignoreCase: true },
    color: { type: 'Edm.String', orderable: false },
    hexColor: { type: 'Edm.String', orderable: false },
    isDefaultCalendar: { type: 'Edm.Boolean', field: 'isDefault' },
    ...Object.fromEntries(
      [
        'changeKey',
        'canShare',
        'canViewPrivateItems',
        'canEdit',
        'isShared',
        'isSharedWithMe',
        'isTallyingResponses',
        'isRemovable',
        'calendarGroupId',
        'allowedOnlineMeetingProviders',
        'defaultOnlineMeetingProvider',
        'owner',
      ].map((name) => [name, shown]),
    ),
  },
  navigation: ['events', 'calendarView', 'calendarPermissions'],
  scan: 'bounded',
});

export const groupShape: EntityShape<CalendarGroup> = entityShape<CalendarGroup>({
  name: 'calendarGroup',
  collection: calendarGroups,
  properties: {
    id: shown,
    name: { type: 'Edm.String', field: 'name', ignoreCase: true },
    classId: { type: 'Edm.String', orderable: false },
    changeKey: shown,
  },
  navigation: ['calendars'],
  scan: 'bounded',
});
