import { type Answer, created, noContent } from '../../../kernel/http/index.ts';
import { changeForCaller } from '../api/change.ts';
import type { MailCall } from '../api/request.ts';
import { baseOf, contextLine } from '../api/show.ts';
import { type ItemSource, itemName } from '../extras/item.ts';
import { addAttachments, removeAttachment } from './add.ts';
import { findAttachment } from './find.ts';
import { readAttachment } from './input.ts';
import { attachmentView } from './view.ts';

/** Adds a file of less than 3 MB, an item, or a reference. Sent and received messages accept attachments too, as drafts do. */
export const postAttachment =
  (source: ItemSource) =>
  async (call: MailCall): Promise<Answer> => {
    const given = readAttachment(call.json());
    const { item, attachment } = await changeForCaller(call, async (writer) => {
      const { item: changed, added } = await addAttachments(writer, await source.find(call, writer.tx), [given]);
      return { item: changed, attachment: added[0]! };
    });
    const bytes = given.kind === 'file' ? given.bytes.toString('base64') : undefined;
    const name = `${itemName(source, call, item)}/attachments`;
    const view = attachmentView(call.mailbox.id, attachment, bytes);
    const location = `${baseOf(call)}/users('${call.mailbox.id}')/${name}('${view.id}')`;
    return created({ ...contextLine(call, `${name}/$entity`), ...view }, { location });
  };

export const deleteOneAttachment =
  (source: ItemSource) =>
  (call: MailCall): Promise<Answer> =>
    changeForCaller(call, async (writer) => {
      const item = await source.find(call, writer.tx);
      await removeAttachment(writer, item, (await findAttachment(call, item, writer.tx)).value);
      return noContent();
    });
