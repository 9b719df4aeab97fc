import { Time } from '../../shared/format/time.tsx';
import { Badge, type Tone } from '../../shared/ui/badge.tsx';
import { CopyId } from '../../shared/ui/copy.tsx';
import { Facts, Stack } from '../../shared/ui/layout.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import type { MessageDocument } from './api.ts';

type Meeting = NonNullable<MessageDocument['meeting']>;

const KINDS: Readonly<Record<Meeting['type'], readonly [string, Tone]>> = {
  none: ['meeting', 'neutral'],
  meetingRequest: ['invitation', 'accent'],
  meetingCancelled: ['cancelled', 'warning'],
  meetingAccepted: ['accepted', 'success'],
  meetingTentativelyAccepted: ['tentative', 'info'],
  meetingDeclined: ['declined', 'failure'],
};

export function MeetingBadge({ type }: { readonly type: Meeting['type'] }) {
  const [word, tone] = KINDS[type];
  return <Badge tone={tone}>{word}</Badge>;
}

/** What a message about a meeting says, in words. */
export function MeetingFacts({ meeting }: { readonly meeting: Meeting }) {
  const { type, requestType, response, start, end, timeZone, isAllDay, location, uid, isOutOfDate } = meeting;
  return (
    <Stack>
      {isOutOfDate && (
        <Notice tone="warning" title="The message is out of date.">
          A newer message about the meeting has arrived, so the calendar does not follow this one.
        </Notice>
      )}
      <Facts
        facts={[
          { label: 'Meeting', value: <MeetingBadge type={type} /> },
          requestType !== null && { label: 'Request', value: requestType },
          response !== null && { label: 'Answer', value: response },
          start !== null && { label: 'From', value: whenOf(start, isAllDay) },
          end !== null && { label: 'To', value: whenOf(end, isAllDay) },
          timeZone !== null && { label: 'Time zone', value: timeZone },
          location !== null && { label: 'Location', value: location },
          { label: 'UID', value: <CopyId id={uid} length={48} /> },
        ]}
      />
    </Stack>
  );
}

function whenOf(at: string, isAllDay: boolean) {
  if (isAllDay) return at.slice(0, 10);
  return (
    <>
      {at.slice(0, 16).replace('T', ' ')} UTC (<Time at={at} />)
    </>
  );
}
