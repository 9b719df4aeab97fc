import type { MailCall } from '../api/request.ts';
import { changeMailbox, type MailboxWriter } from '../mailbox/writer.ts';
import { ownerOf } from '../messages/draft.ts';
import type { Address } from '../messages/types.ts';

/** Somebody with whom the owner of the mailbox shares a calendar; undefined where the owner, or an application, calls. */
export const actorOf = ({ sharing }: Pick<MailCall, 'sharing'>): Address | undefined => sharing && ownerOf(sharing.own);

/** Changes the mailbox of a calendar. Mail that goes out has the caller as its sender. */
export const changeCalendar = <R>(call: MailCall, body: (writer: MailboxWriter) => Promise<R>): Promise<R> =>
  changeMailbox(call.jar, call.mailbox, body, actorOf(call));
