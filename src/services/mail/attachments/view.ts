import type { MailCall } from '../api/request.ts';
import { containerId } from '../api/show.ts';
import { shownInstant } from '../api/values.ts';
import { messageView } from '../messages/view.ts';
import { DEEPEST_ITEM } from './limits.ts';
import type { Attachment, ItemContent, NestedAttachment } from './types.ts';

type View = Record<string, unknown>;

/** An attachment as the API shows it. `contentBytes` can be a placeholder for the bytes of a file. */
export function attachmentView(mailbox: string, attachment: Attachment, contentBytes: unknown): View {
  const { kind, name, contentType, size, isInline, contentId, contentLocation, reference } = attachment;
  return {
    '@odata.type': `#microsoft.graph.${kind}Attachment`,
    ...(kind === 'file' && contentType !== null && { '@odata.mediaContentType': contentType }),
    id: containerId(mailbox, attachment.uid),
    lastModifiedDateTime: shownInstant(attachment.modifiedAt),
    name,
    contentType,
    size,
    isInline,
    ...(kind === 'file' && {
      contentId: contentId ?? null,
      contentLocation: contentLocation ?? null,
      ...(contentBytes !== undefined && { contentBytes }),
    }),
    ...reference,
  };
}

/** The item of an item attachment, including its own attachments down to the deepest level. */
export function itemView(call: MailCall, content: ItemContent, depth = 1): View {
  const { attachments } = content;
  return {
    '@odata.type': `#microsoft.graph.${content.type}`,
    id: '',
    ...(content.type === 'message' ? attachedMessageView(call, content) : content.sent),
    ...(attachments.length > 0 &&
      depth < DEEPEST_ITEM && { attachments: attachments.map((each) => nestedView(call, each, depth + 1)) }),
  };
}

/** The message is in no folder, so it has no id and no link. */
function attachedMessageView(call: MailCall, { message }: Extract<ItemContent, { type: 'message' }>): View {
  const {
    '@odata.etag': _etag,
    parentFolderId: _folder,
    webLink: _link,
    changeKey: _key,
    ...view
  } = messageView({ ...call, query: {} }, message);
  return { ...view, id: '' };
}

export function nestedView(call: MailCall, { attachment, bytes, content }: NestedAttachment, depth: number): View {
  return {
    ...attachmentView(call.mailbox.id, attachment, bytes),
    ...(content && { item: itemView(call, content, depth) }),
  };
}
