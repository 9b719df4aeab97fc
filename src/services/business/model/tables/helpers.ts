import { attachmentEntityBufferDocType, pictureEntityParentType } from '../enums.ts';
import { boolean, guid, int32, named, option, readOnly, stream, text } from '../notation.ts';

/** Tables of pictures and files, which belong to other records. */
export const HELPER_TABLES = named({
  /** A record has at most one picture, with the id of the record. */
  picture: {
    number: 5468,
    caption: 'Picture',
    fields: {
      parentType: option(pictureEntityParentType),
      width: readOnly(int32),
      height: readOnly(int32),
      contentType: readOnly(text(50)),
      pictureContent: stream,
    },
    slots: { parentType: 't1', contentType: 't2' },
  },
  attachment: {
    number: 5509,
    caption: 'Attachment',
    fields: {
      parentId: guid,
      fileName: text(250),
      byteSize: readOnly(int32),
      attachmentContent: stream,
      parentType: option(attachmentEntityBufferDocType),
    },
    slots: { parentId: 't1', fileName: 't2', parentType: 't3' },
  },
  documentAttachment: {
    number: 1173,
    caption: 'Document Attachment',
    fields: {
      fileName: text(250),
      byteSize: readOnly(int32),
      attachmentContent: stream,
      parentType: option(attachmentEntityBufferDocType),
      parentId: guid,
      lineNumber: int32,
      documentFlowSales: boolean,
      documentFlowPurchase: boolean,
    },
    slots: { parentId: 't1', fileName: 't2', parentType: 't3', lineNumber: 'n1' },
  },
});
