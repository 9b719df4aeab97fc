import { contentOf } from '../api/content.ts';
import type { Viewer } from '../api/request.ts';
import { containerId, selects, shownId } from '../api/show.ts';
import { shownInstant, shownRecipient, shownTime } from '../api/values.ts';
import { changeKeyOf, etagOf } from '../mailbox/ids.ts';
import { meetingView } from './meeting-view.ts';
import type { FollowupFlag, Message } from './types.ts';

type View = Record<string, unknown>;

/** A message as the API shows it. Content is left out if the token has only a basic permission. */
export function messageView(call: Viewer, message: Message): View {
  const { meeting } = message;
  const changeKey = changeKeyOf(message.uid, message.number);
  const id = shownId(call, message);
  const isBeta = call.version === 'beta';
  return {
    ...(meeting && { '@odata.type': `#microsoft.graph.${meeting.kind}` }),
    '@odata.etag': etagOf(changeKey),
    id,
    createdDateTime: shownInstant(message.createdAt),
    lastModifiedDateTime: shownInstant(message.modifiedAt),
    changeKey,
    categories: message.categories,
    receivedDateTime: shownInstant(message.receivedAt),
    sentDateTime: shownInstant(message.sentAt),
    hasAttachments: message.hasAttachments,
    internetMessageId: message.internetMessageId,
    subject: message.subject,
    ...(!call.isBasic && { bodyPreview: message.bodyPreview }),
    importance: message.importance,
    parentFolderId: containerId(message.mailbox, message.folder),
    conversationId: message.conversationId,
    conversationIndex: message.conversationIndex,
    isDeliveryReceiptRequested: message.isDeliveryReceiptRequested,
    isReadReceiptRequested: message.isReadReceiptRequested,
    isRead: message.isRead,
    isDraft: message.isDraft,
    webLink: webLink(call, message),
    inferenceClassification: message.inference,
    ...(isBeta && {
      unsubscribeData: message.unsubscribe,
      unsubscribeEnabled: message.unsubscribe.length > 0,
      mentionsPreview:
        message.mentions.length > 0 ? { isMentioned: message.mentions.some(({ isOwner }) => isOwner) } : null,
    }),
    ...(!call.isBasic && { body: contentOf(message.body, call.prefer) }),
    ...(selects(call, 'uniqueBody') &&
      !call.isBasic && { uniqueBody: contentOf(message.uniqueBody ?? message.body, call.prefer) }),
    ...(selects(call, 'internetMessageHeaders') && { internetMessageHeaders: message.headers }),
    ...(message.sender && { sender: shownRecipient(message.sender) }),
    ...(message.from && { from: shownRecipient(message.from) }),
    toRecipients: message.to.map(shownRecipient),
    ccRecipients: message.cc.map(shownRecipient),
    bccRecipients: message.bcc.map(shownRecipient),
    replyTo: message.replyTo.map(shownRecipient),
    flag: shownFlag(call, message.flag),
    ...(meeting && meetingView(call, meeting)),
  };
}

/** Opens the message on the jar's own page; `ispopout=0` shows it there beside the list. */
const webLink = (call: Viewer, { mailbox, uid, generation }: Message): string => {
  const id = shownId({ ...call, prefer: { ...call.prefer, immutableIds: false } }, { mailbox, uid, generation });
  return `${call.origin}/owa/?ItemID=${encodeURIComponent(id)}&exvsurl=1&viewmodel=ReadMessageItem`;
};

function shownFlag({ prefer }: Viewer, { flagStatus, start, due, completed }: FollowupFlag) {
  return {
    flagStatus,
    ...(start && { startDateTime: shownTime(start, prefer) }),
    ...(due && { dueDateTime: shownTime(due, prefer) }),
    ...(completed && { completedDateTime: shownTime(completed, prefer) }),
  };
}
