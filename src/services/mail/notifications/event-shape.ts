import { type EntityShape, entityShape, type PropertyShape } from '../../../kernel/odata/index.ts';
import { type CalendarEvent, SENSITIVITIES, SHOW_AS } from '../calendar/types.ts';
import { events } from '../collections.ts';
import { IMPORTANCES } from '../messages/types.ts';

const shown: PropertyShape = { type: 'Edm.String', filterable: false, orderable: false };
const SHOWN = [
  'id',
  'changeKey',
  'bodyPreview',
  'start',
  'end',
  'location',
  'locations',
  'attendees',
  'organizer',
  'recurrence',
  'responseStatus',
  'seriesMasterId',
  'webLink',
  'iCalUId',
  'type',
  'body',
];

export const eventShape: EntityShape<CalendarEvent> = entityShape<CalendarEvent>({
  name: 'event',
  collection: events,
  properties: {
    ...Object.fromEntries(SHOWN.map((name) => [name, shown])),
    subject: { type: 'Edm.String', field: 'subject', ignoreCase: true },
    createdDateTime: { type: 'Edm.DateTimeOffset', field: 'createdAt' },
    lastModifiedDateTime: { type: 'Edm.DateTimeOffset', field: 'modifiedAt' },
    isAllDay: { type: 'Edm.Boolean', field: 'isAllDay' },
    isCancelled: { type: 'Edm.Boolean', field: 'isCancelled' },
    isOrganizer: { type: 'Edm.Boolean', field: 'isOrganizer' },
    showAs: { type: { members: SHOW_AS }, field: 'showAs' },
    importance: { type: { members: IMPORTANCES }, field: 'importance' },
    sensitivity: { type: { members: SENSITIVITIES }, field: 'sensitivity' },
    categories: { type: 'Edm.String', collection: true, field: 'categories' },
  },
  scan: 'bounded',
});
