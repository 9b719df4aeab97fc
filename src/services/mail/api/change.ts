import { actorOf } from '../access/sharing.ts';
import { changeMailbox, type MailboxWriter } from '../mailbox/writer.ts';
import type { MailCall } from './request.ts';

/** Writes to the mailbox that the path names. The caller is the sender of outgoing mail. */
export const changeForCaller = <R>(call: MailCall, body: (writer: MailboxWriter) => Promise<R>): Promise<R> =>
  changeMailbox(call.jar, call.mailbox, body, actorOf(call));
