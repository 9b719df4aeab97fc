import type { RecurrenceId } from '../ical/types.ts';
import type { MeetingRequestType } from '../messages/types.ts';

/**
 * What a mailbox knows of a meeting by its UID, whether the event is still in a calendar or not: the latest request or cancellation of the whole and of
 * each occurrence. SEQUENCE and then DTSTAMP decide what is newer, in whatever order mail arrives.
 */
export interface MeetingRecord {
  readonly uid: string;
  /** The address of the organizer, by the latest mail. */
  readonly organizer?: string;
  /** Who sent that mail: where the organizer is a calendar (`authority.ts`), its next mail is expected from there. */
  readonly sender?: string;
  /** By the day of an occurrence; `''` is the whole meeting. */
  readonly latest: Readonly<Record<string, Latest>>;
}

export interface Version {
  readonly sequence: number;
  readonly stamp: number;
}

export interface Latest extends Version {
  readonly isCancelled: boolean;
  /** As the message was classified: the same request that comes again is classified so too. */
  readonly requestType: MeetingRequestType;
  /** RECURRENCE-ID as the mail had it. Its day can be another one in the zone of the series, which may come later. */
  readonly slot?: RecurrenceId;
  /** Of the whole: days that it leaves out (EXDATE). Other days that the event leaves out were deleted by the owner of the mailbox. */
  readonly excluded?: readonly string[];
}
