import { createHash } from 'node:crypto';
import { etag } from '../../../kernel/ids/index.ts';
import type { ItemBody } from '../messages/types.ts';
import { MEET_PATH } from '../page/names.ts';
import type { CalendarEvent, EventContent, MeetingProvider, OnlineMeeting } from './types.ts';

/** Online meetings: the details that clients show, and a page at the join URL (`page/meeting.ts`). There is no audio and no video. */

const CONFERENCE_DIGITS = 9;
const RULE = '_'.repeat(32);

export function newOnlineMeeting(origin: string): OnlineMeeting {
  const id = etag();
  const number = BigInt(`0x${createHash('sha256').update(id).digest('hex')}`) % 10n ** BigInt(CONFERENCE_DIGITS);
  return { joinUrl: `${origin}${MEET_PATH}/${id}`, conferenceId: String(number).padStart(CONFERENCE_DIGITS, '0') };
}

export const MEETING_ID = /^[\w-]{16}$/;

/** The id in the join URL of a meeting; undefined for a meeting of another service. */
export function meetingId({ joinUrl }: OnlineMeeting): string | undefined {
  const id = joinUrl.slice(-16);
  return MEETING_ID.test(id) && joinUrl.endsWith(`${MEET_PATH}/${id}`) ? id : undefined;
}

/** Ids of all meetings of an event: the series can have one, and each exception can have another. */
export const meetingIdsOf = ({ onlineMeeting, series }: CalendarEvent): readonly string[] =>
  [onlineMeeting, ...Object.values(series?.exceptions ?? {}).map((exception) => exception.onlineMeeting)].flatMap(
    (meeting) => (meeting && meetingId(meeting)) ?? [],
  );

/** Changes that make an event an online meeting: the join details are appended to its body. */
export function withOnlineMeeting(
  body: ItemBody,
  provider: MeetingProvider,
  meeting: OnlineMeeting,
): Partial<EventContent> {
  return {
    isOnlineMeeting: true,
    onlineMeetingProvider: provider,
    onlineMeeting: meeting,
    body: withJoinBlock(body, meeting),
  };
}

function withJoinBlock({ contentType, content }: ItemBody, { joinUrl, conferenceId = '' }: OnlineMeeting): ItemBody {
  if (contentType === 'text') {
    const block = `${RULE}\r\nJoin the meeting: ${joinUrl}\r\nConference ID: ${conferenceId}\r\n${RULE}`;
    return { contentType, content: content === '' ? block : `${content}\r\n${block}` };
  }
  const block = `<div>${RULE}<br><a href="${joinUrl}">Join the meeting</a><br>Conference ID: ${conferenceId}<br>${RULE}</div>`;
  const end = content.toLowerCase().lastIndexOf('</body>');
  return {
    contentType,
    content: end < 0 ? `${content}${block}` : `${content.slice(0, end)}${block}${content.slice(end)}`,
  };
}
