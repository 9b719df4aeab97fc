import type { MeetingRequestType } from '../messages/types.ts';

/**
 * What a mailbox knows of a meeting by its UID, whether the event is still in a calendar or not: the latest request or cancellation of the whole and of
 * each occurrence. SEQUENCE and then DTSTAMP decide what is newer, in whatever order mail arrives.
 */
export interface MeetingRecord {
  readonly uid: string;
  /** By the day of an occurrence; `''` is the whole meeting. */
  readonly latest: Readonly<Record<string, Latest>>;
}

export interface Latest {
  readonly sequence: number;
  readonly stamp: number;
  readonly isCancelled: boolean;
  /** As the message was classified: the same request that comes again is classified so too. */
  readonly requestType: MeetingRequestType;
}
