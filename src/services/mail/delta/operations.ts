import type { Operation } from '../api/request.ts';
import { calendarViewDelta } from './calendar-view.ts';
import { calendarsDelta } from './calendars.ts';
import { eventsDelta } from './events.ts';
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
  {
    method: 'GET',
    path: 'events/delta',
    name: 'DeltaEvents',
    summary: 'Events that were added, changed or removed since the last round',
    needs: 'calendarBasic',
    isSharable: true,
    isBeta: true,
    handle: eventsDelta,
  },
  {
    method: 'GET',
    path: 'calendarView/delta',
    name: 'DeltaCalendarView',
    summary: 'Events within a calendar window that were added, changed or removed since the last round',
    needs: 'calendarBasic',
    isSharable: true,
    handle: calendarViewDelta,
  },
  {
    method: 'GET',
    path: 'calendars/delta',
    name: 'DeltaCalendars',
    summary: 'Calendars that were added, changed or removed since the last round',
    needs: 'calendarRead',
    isSharable: true,
    isBeta: true,
    handle: calendarsDelta,
  },
];
