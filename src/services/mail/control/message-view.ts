import { type Static, Type } from 'typebox';
import { isoTime } from '../../../kernel/time/index.ts';
import type { Attachment } from '../attachments/types.ts';
import { instantOf } from '../calendar/times.ts';
import { MEETING_MESSAGE_TYPES, type MeetingMessage, type Message } from '../messages/types.ts';
import { htmlToText } from '../mime/text.ts';
import type { ZonedTime } from '../zones/wall.ts';

const Nullable = (schema: ReturnType<typeof Type.String>) => Type.Union([schema, Type.Null()]);
const Text = Type.String();

const MeetingView = Type.Object({
  type: Type.Enum(MEETING_MESSAGE_TYPES),
  requestType: Nullable(Text),
  response: Nullable(Text),
  uid: Type.String({ description: 'The UID in iCalendar' }),
  start: Nullable(Text),
  end: Nullable(Text),
  timeZone: Nullable(Text),
  isAllDay: Type.Boolean(),
  location: Nullable(Text),
  isOutOfDate: Type.Boolean(),
});

const summary = {
  id: Text,
  messageId: Type.String({ description: 'The Message-ID of the header' }),
  subject: Text,
  from: Nullable(Text),
  fromName: Nullable(Text),
  to: Type.Array(Text),
  cc: Type.Array(Text),
  receivedAt: Text,
  folder: Text,
  isRead: Type.Boolean(),
  isDraft: Type.Boolean(),
  hasAttachments: Type.Boolean(),
  size: Type.Integer(),
  meetingMessageType: Type.Union([Type.Enum(MEETING_MESSAGE_TYPES), Type.Null()]),
  meeting: Type.Union([MeetingView, Type.Null()]),
};

export const MessageSummary = Type.Object(summary);

export const MessageDetails = Type.Object({
  ...summary,
  bcc: Type.Array(Text),
  text: Type.String({ description: 'The body; HTML is converted to text' }),
  html: Nullable(Text),
  headers: Type.Array(Type.Object({ name: Text, value: Text })),
  attachments: Type.Array(
    Type.Object({
      id: Text,
      name: Text,
      kind: Type.Enum(['file', 'item', 'reference']),
      contentType: Nullable(Text),
      size: Type.Integer(),
      isInline: Type.Boolean(),
    }),
  ),
});

export const summaryView = (message: Message, folder: string): Static<typeof MessageSummary> => ({
  id: message.uid,
  messageId: message.internetMessageId,
  subject: message.subject,
  from: message.from?.address ?? null,
  fromName: message.from?.name ?? null,
  to: message.to.map(({ address }) => address),
  cc: message.cc.map(({ address }) => address),
  receivedAt: isoTime(message.receivedAt),
  folder,
  isRead: message.isRead,
  isDraft: message.isDraft,
  hasAttachments: message.hasAttachments,
  size: message.size,
  meetingMessageType: message.meeting?.messageType ?? null,
  meeting: message.meeting ? meetingView(message.meeting) : null,
});

export function detailsView(
  message: Message,
  folder: string,
  attachments: readonly Attachment[],
): Static<typeof MessageDetails> {
  const { contentType } = message.body;
  // A final line break depends on the neighbouring MIME parts and has no meaning.
  const content = message.body.content.trimEnd();
  return {
    ...summaryView(message, folder),
    bcc: message.bcc.map(({ address }) => address),
    text: contentType === 'html' ? htmlToText(content) : content,
    html: contentType === 'html' ? content : null,
    headers: message.headers.map(({ name, value }) => ({ name, value })),
    attachments: attachments.map(({ uid, name, kind, contentType: type, size, isInline }) => ({
      id: uid,
      name,
      kind,
      contentType: type,
      size,
      isInline,
    })),
  };
}

function meetingView(meeting: MeetingMessage): Static<typeof MeetingView> {
  const { isAllDay, start, end } = meeting;
  // All-day events are shown with midnights of UTC, as in the API.
  const shown = (time: ZonedTime | undefined): string | null =>
    time ? isoTime(isAllDay ? time.wall : instantOf(time)) : null;
  return {
    type: meeting.messageType,
    requestType: meeting.request?.type ?? null,
    response: meeting.response?.type ?? null,
    uid: meeting.uid,
    start: shown(start),
    end: shown(end),
    timeZone: start?.zone ?? null,
    isAllDay,
    location: meeting.location?.displayName || null,
    isOutOfDate: meeting.isOutOfDate,
  };
}
