import type { RecurrenceId } from '../ical/types.ts';
import type { MeetingRequestType } from '../messages/types.ts';

/**
 * The mailbox's knowledge of a meeting by UID, also after its event was deleted: the versions of the latest request or cancellation of the
 * whole and of each occurrence. SEQUENCE, then DTSTAMP, decide which is newer, in whatever order mail arrives.
 */
export interface MeetingRecord {
  readonly uid: string;
  /** Address of the organizer, from the latest mail. */
  readonly organizer?: string;
  /** Sender of that mail. If the organizer is a shared calendar (`authority.ts`), its next mail is expected from this sender. */
  readonly sender?: string;
  /** Keyed by the day of an occurrence; `''` is the whole meeting. */
  readonly latest: Readonly<Record<string, Latest>>;
}

export interface Version {
  readonly sequence: number;
  readonly stamp: number;
}

export interface Latest extends Version {
  readonly isCancelled: boolean;
  /** The classification of the message; a repeated request is classified in the same way. */
  readonly requestType: MeetingRequestType;
  /** RECURRENCE-ID as in the mail. Its day can differ in the zone of the series, which may arrive later. */
  readonly slot?: RecurrenceId;
  /**
   * Whole meeting only: the days that the organizer excludes (EXDATE). The owner of the mailbox deleted the other excluded days of the
   * event.
   */
  readonly excluded?: readonly string[];
}
