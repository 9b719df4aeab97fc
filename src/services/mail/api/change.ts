import { actorOf } from '../access/sharing.ts';
import { changeMailbox, type MailboxWriter } from '../mailbox/writer.ts';
import type { MailCall } from './request.ts';

/** Changes the mailbox that a path names. Mail that goes out has the caller as its sender. */
export const changeForCaller = <R>(call: MailCall, body: (writer: MailboxWriter) => Promise<R>): Promise<R> =>
  changeMailbox(call.jar, call.mailbox, body, actorOf(call));
