import type { Filter } from '../../../kernel/store/index.ts';

/**
 * Rewrites types in filters of messages: `microsoft.graph.eventMessage/meetingMessageType eq 'meetingRequest'` and
 * `isof('microsoft.graph.eventMessage')` become conditions on properties that plain messages do not have.
 */

const QUOTED_OR_TYPE =
  /'(?:[^']|'')*'|isof\(\s*'?(?:microsoft|vendor)\.graph\.(\w+)'?\s*\)|(?:microsoft|vendor)\.graph\.(\w+)\//gi;

const REQUEST = "(meetingMessageType eq 'meetingRequest')";
const RESPONSES = "(meetingMessageType in ('meetingAccepted','meetingTentativelyAccepted','meetingDeclined'))";

const CONDITIONS: Readonly<Record<string, string>> = {
  message: '(true eq true)',
  eventmessage: '(meetingMessageType ne null)',
  eventmessagerequest: REQUEST,
  eventmessageresponse: RESPONSES,
};

export const castFilter = (filter: string): string =>
  filter.replace(QUOTED_OR_TYPE, (written, tested?: string, cast?: string) => {
    if (tested !== undefined) return CONDITIONS[tested.toLowerCase()] ?? '(true eq false)';
    return cast === undefined ? written : '';
  });

/**
 * Removes the type from names in `$select` and `$orderby`: `microsoft.graph.eventMessage/startDateTime`. The API's specification also
 * spells `location` as `___location`.
 */
export const uncastNames = (names: string): string =>
  names.replace(/(?:microsoft|vendor)\.graph\.\w+\//gi, '').replace(/\b___location\b/gi, 'location');

/** `messages/microsoft.graph.eventMessageRequest`: a list of one type. */
export function typeFilter(type: string | undefined): Filter | undefined {
  if (type === undefined || type === 'message') return undefined;
  if (type === 'eventmessagerequest') return { op: 'eq', field: 'meetingMessageType', value: 'meetingRequest' };
  if (type === 'eventmessageresponse')
    return {
      op: 'in',
      field: 'meetingMessageType',
      values: ['meetingAccepted', 'meetingTentativelyAccepted', 'meetingDeclined'],
    };
  return { op: 'ne', field: 'meetingMessageType', value: null };
}
