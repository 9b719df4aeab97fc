import { type Problem, problem } from '../mime/problem.ts';
import type { CalendarComponent, CalendarObject } from './types.ts';

/** The methods that change a calendar here. ADD, REFRESH, PUBLISH and DECLINECOUNTER arrive as plain messages. */
export const MEETING_METHODS = ['REQUEST', 'CANCEL', 'REPLY', 'COUNTER'] as const;
export type MeetingMethod = (typeof MEETING_METHODS)[number];

export const isMeetingMethod = (method: string): method is MeetingMethod =>
  MEETING_METHODS.some((known) => known === method);

/**
 * Why an object cannot be processed as its METHOD asks (RFC 5546, section 3.2), or undefined. Only what processing depends on is required:
 * DTSTAMP, SUMMARY and the list of attendees are missing in mail of real calendars.
 */
export function methodProblem({ method, components }: CalendarObject): Problem | undefined {
  if (method === '') return problem('noMethod', 'the calendar has no METHOD');
  for (const component of components) {
    const missing = missingIn(component, method);
    if (missing) return problem('missingProperty', `METHOD:${method} needs ${missing}`);
  }
  return undefined;
}

function missingIn(component: CalendarComponent, method: string): string | undefined {
  switch (method) {
    case 'REQUEST':
    case 'COUNTER':
      if (!component.start) return 'DTSTART';
      return component.organizer ? undefined : 'ORGANIZER';
    case 'CANCEL':
      return component.organizer ? undefined : 'ORGANIZER';
    case 'REPLY':
      return component.attendees.length === 1 ? undefined : 'exactly one ATTENDEE';
    default:
      return undefined;
  }
}
