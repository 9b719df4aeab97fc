import { type EntityShape, entityShape, type Node, type PropertyShape } from '../../../kernel/odata/index.ts';
import { events } from '../collections.ts';
import { readId } from '../mailbox/ids.ts';
import { extraShapes } from '../messages/shape.ts';
import { IMPORTANCES } from '../messages/types.ts';
import { type CalendarEvent, RESPONSES, SENSITIVITIES, SHOW_AS } from './types.ts';

/** Properties by which lists of events can be filtered and ordered. Properties that are only shown cannot be used. */

const shown: PropertyShape = { type: 'Edm.String', filterable: false, orderable: false };

/** Event times are strings on the wire; they are compared as instants, those that they show in UTC. */
const time = (field: string): PropertyShape => ({
  type: { properties: { dateTime: { type: 'Edm.DateTimeOffset', field }, timeZone: shown } },
});

export const eventShape: EntityShape<CalendarEvent> = entityShape<CalendarEvent>({
  name: 'event',
  collection: events,
  properties: {
    id: shown,
    subject: { type: 'Edm.String', field: 'subject', ignoreCase: true },
    bodyPreview: { type: 'Edm.String', ignoreCase: true, orderable: false },
    start: time('startAt'),
    end: time('endAt'),
    createdDateTime: { type: 'Edm.DateTimeOffset', field: 'createdAt' },
    lastModifiedDateTime: { type: 'Edm.DateTimeOffset', field: 'modifiedAt' },
    iCalUId: { type: 'Edm.String', field: 'shownUid' },
    uid: { type: 'Edm.String', field: 'iCalUid' },
    isAllDay: { type: 'Edm.Boolean', field: 'isAllDay' },
    isCancelled: { type: 'Edm.Boolean', field: 'isCancelled' },
    isOrganizer: { type: 'Edm.Boolean', field: 'isOrganizer' },
    isReminderOn: { type: 'Edm.Boolean', field: 'isReminderOn' },
    isOnlineMeeting: { type: 'Edm.Boolean', field: 'isOnlineMeeting' },
    hasAttachments: { type: 'Edm.Boolean', field: 'hasAttachments' },
    responseRequested: { type: 'Edm.Boolean', orderable: false },
    showAs: { type: { members: SHOW_AS }, field: 'showAs' },
    importance: { type: { members: IMPORTANCES }, field: 'importance' },
    sensitivity: { type: { members: SENSITIVITIES }, field: 'sensitivity' },
    type: { type: { members: ['singleInstance', 'occurrence', 'exception', 'seriesMaster'] }, field: 'type' },
    seriesMasterId: { type: 'Edm.String', field: 'masterUid' },
    categories: { type: 'Edm.String', collection: true, field: 'categories' },
    organizer: {
      type: {
        properties: {
          emailAddress: {
            type: {
              properties: {
                address: { type: 'Edm.String', field: 'organizer', ignoreCase: true },
                name: { type: 'Edm.String', field: 'organizerName', ignoreCase: true },
              },
            },
          },
        },
      },
    },
    location: { type: { properties: { displayName: { type: 'Edm.String', ignoreCase: true, orderable: false } } } },
    responseStatus: {
      type: {
        properties: { response: { type: { members: RESPONSES }, orderable: false }, time: shown },
      },
      read: ({ response }: CalendarEvent) => response,
    },
    ...extraShapes,
    ...Object.fromEntries(
      [
        'changeKey',
        'transactionId',
        'originalStartTimeZone',
        'originalEndTimeZone',
        'reminderMinutesBeforeStart',
        'originalStart',
        'webLink',
        'onlineMeetingUrl',
        'onlineMeetingProvider',
        'onlineMeeting',
        'allowNewTimeProposals',
        'occurrenceId',
        'isDraft',
        'hideAttendees',
        'body',
        'locations',
        'recurrence',
        'attendees',
        'cancelledOccurrences',
      ].map((name) => [name, shown]),
    ),
  },
  navigation: [
    'attachments',
    'calendar',
    'extensions',
    'instances',
    'exceptionOccurrences',
    'singleValueExtendedProperties',
    'multiValueExtendedProperties',
  ],
  scan: 'bounded',
});

/** A quoted date and time from a client. Seconds and zone are optional; without a zone it is UTC. */
const QUOTED_TIME = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,12})?)?)?$/i;
const TIME_PATHS: ReadonlySet<string> = new Set(['start/datetime', 'end/datetime']);

/** Rewrites client values in a filter to stored values: a time without a zone to an instant, the id of a master to its uid. */
export function rewriteFilter(node: Node): Node {
  switch (node.kind) {
    case 'junction':
    case 'call':
      return { ...node, args: node.args.map(rewriteFilter) };
    case 'unary':
      return { ...node, operand: rewriteFilter(node.operand) };
    case 'binary':
      return { ...node, left: literalFor(node.right, node.left), right: literalFor(node.left, node.right) };
    default:
      return node;
  }
}

function literalFor(beside: Node, node: Node): Node {
  if (node.kind !== 'literal' || node.type !== 'string' || beside.kind !== 'path') return rewriteFilter(node);
  const path = beside.segments.join('/').toLowerCase();
  if (path === 'seriesmasterid') return { ...node, value: readId(node.value)?.uid ?? node.value };
  if (!TIME_PATHS.has(path) || !QUOTED_TIME.test(node.value)) return node;
  return { ...node, value: node.value.includes('T') ? `${node.value}Z` : `${node.value}T00:00:00Z` };
}
