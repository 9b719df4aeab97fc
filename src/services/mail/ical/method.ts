import { type Problem, problem } from '../mime/problem.ts';
import type { CalendarComponent, CalendarObject } from './types.ts';

/** The methods that change a calendar. Mail with ADD, REFRESH, PUBLISH or DECLINECOUNTER is delivered as a plain message. */
export const MEETING_METHODS = ['REQUEST', 'CANCEL', 'REPLY', 'COUNTER'] as const;
export type MeetingMethod = (typeof MEETING_METHODS)[number];

export const isMeetingMethod = (method: string): method is MeetingMethod =>
  MEETING_METHODS.some((known) => known === method);

/**
 * The reason why an object cannot be processed by its METHOD (RFC 5546, section 3.2); undefined if it can. Requires only the properties
 * that processing needs: mail from real calendars often lacks DTSTAMP, SUMMARY or the attendees.
 */
export function methodProblem({ method, components }: CalendarObject): Problem | undefined {
  if (method === '') return problem('noMethod', 'the calendar has no METHOD');
  for (const [index, component] of components.entries()) {
    const missing = missingIn(component, method, index === 0);
    if (missing) return problem('missingProperty', `METHOD:${method} needs ${missing}`);
  }
  return undefined;
}

/** An override without an organizer has that of the first component, as in section 4.4.8 of RFC 5546. */
function missingIn(component: CalendarComponent, method: string, isFirst: boolean): string | undefined {
  switch (method) {
    case 'REQUEST':
    case 'COUNTER':
      if (!component.start) return 'DTSTART';
      return component.organizer || !isFirst ? undefined : 'ORGANIZER';
    case 'CANCEL':
      return component.organizer || !isFirst ? undefined : 'ORGANIZER';
    case 'REPLY':
      return isOneAnswer(component) ? undefined : 'exactly one ATTENDEE';
    default:
      return undefined;
  }
}

/** A delegate's answer also has the row of the attendee who delegated (sections 4.2.6 and 4.2.7). */
function isOneAnswer({ attendees }: CalendarComponent): boolean {
  return attendees.length === 1 || attendees.filter(({ partStat }) => partStat !== 'DELEGATED').length === 1;
}
