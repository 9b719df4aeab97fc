import { collection } from '../../../kernel/store/index.ts';

/** Where the event of an online meeting is stored; the key is the id in its `joinUrl`. */
export interface MeetingPlace {
  readonly mailbox: string;
  readonly event: string;
}

/** Online meetings of organizers in this jar. */
export const onlineMeetings = collection<MeetingPlace>('mail.online_meetings', {});
