import { type Route, type RouteHead, routeOf } from '../../../kernel/http/index.ts';
import { HIGHEST_MESSAGE_LIMIT_BYTES } from '../limits.ts';
import { listAllMessages } from './all-messages.ts';
import { getAttachmentContent, getSource } from './contents.ts';
import { emptyMailbox } from './empty.ts';
import { forgetEndpoint, listEndpoints } from './endpoints.ts';
import { listEvents } from './events.ts';
import { getMailbox, listMailboxes } from './mailboxes.ts';
import { getMessage, listMessages } from './messages.ts';
import { deleteAllKept, deleteKept, getKeptSource, listKept, listQueued } from './outgoing.ts';
import { sendMail } from './send.ts';

const MAILBOX = '/_jar/mail/mailboxes/{user}';
const MESSAGE = `${MAILBOX}/messages/{message}`;
const MIME = 'message/rfc822';

const get = (path: string, operation: string, summary: string): RouteHead => ({
  method: 'GET',
  path,
  operation,
  summary,
});

/** Routes for all mailboxes, for the administrator of the jar. */
export const mailControl: readonly Route[] = [
  routeOf(
    get('/_jar/mail/mailboxes', 'Jar_ListMailboxes', 'The mailboxes in use, with their message counts'),
    listMailboxes,
  ),
  routeOf(get(MAILBOX, 'Jar_GetMailbox', 'The mailbox of a user, with its message counts'), getMailbox),
  routeOf(
    get('/_jar/mail/messages', 'Jar_ListAllMessages', 'The messages of all mailboxes, the newest first'),
    listAllMessages,
  ),
  routeOf(get(`${MAILBOX}/messages`, 'Jar_ListMessages', 'The messages of a mailbox, the newest first'), listMessages),
  routeOf(
    {
      method: 'DELETE',
      path: `${MAILBOX}/messages`,
      operation: 'Jar_EmptyMailbox',
      summary: 'Permanently removes all messages of a mailbox; folders and the calendar stay',
    },
    emptyMailbox,
  ),
  routeOf(
    get(MESSAGE, 'Jar_GetMessage', 'One message, with its body, its header and the names of its attachments'),
    getMessage,
  ),
  routeOf({ ...get(`${MESSAGE}/source`, 'Jar_GetMessageSource', 'A message as MIME'), produces: MIME }, getSource),
  routeOf(
    {
      ...get(`${MESSAGE}/attachments/{attachment}`, 'Jar_GetMessageAttachment', 'The content of an attachment'),
      produces: 'application/octet-stream',
    },
    getAttachmentContent,
  ),
  routeOf(
    get(`${MAILBOX}/events`, 'Jar_ListMailboxEvents', 'The events of all calendars of a mailbox; a series is one'),
    listEvents,
  ),
  routeOf(
    {
      method: 'POST',
      path: '/_jar/mail/send',
      operation: 'Jar_SendMail',
      summary: 'Delivers a mail to mailboxes of the jar, as if it had arrived by SMTP: JSON, or MIME as message/rfc822',
      accepts: 'bytes',
      bodyLimitBytes: HIGHEST_MESSAGE_LIMIT_BYTES,
    },
    sendMail,
  ),
  routeOf(
    get('/_jar/mail/kept', 'Jar_ListKeptMails', 'Mails to other domains that were kept because there is no relay'),
    listKept,
  ),
  routeOf(
    { ...get('/_jar/mail/kept/{mail}/source', 'Jar_GetKeptMailSource', 'A kept mail as MIME'), produces: MIME },
    getKeptSource,
  ),
  routeOf(
    {
      method: 'DELETE',
      path: '/_jar/mail/kept',
      operation: 'Jar_DeleteKeptMails',
      summary: 'Removes all kept mails',
    },
    deleteAllKept,
  ),
  routeOf(
    {
      method: 'DELETE',
      path: '/_jar/mail/kept/{mail}',
      operation: 'Jar_DeleteKeptMail',
      summary: 'Removes a kept mail',
    },
    deleteKept,
  ),
  routeOf(
    get(
      '/_jar/mail/endpoints',
      'Jar_ListMailEndpoints',
      'Receivers of change notifications, with their response times',
    ),
    listEndpoints,
  ),
  routeOf(
    {
      method: 'DELETE',
      path: '/_jar/mail/endpoints/{endpoint}',
      operation: 'Jar_ForgetMailEndpoint',
      summary: 'Resets the response times of a receiver, so that notifications are sent to it at once',
    },
    forgetEndpoint,
  ),
  routeOf(
    get('/_jar/mail/queued', 'Jar_ListQueuedMails', 'Mails that wait for delivery to their recipients'),
    listQueued,
  ),
];
