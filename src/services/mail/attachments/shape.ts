import { type EntityShape, entityShape, type PropertyShape } from '../../../kernel/odata/index.ts';
import { attachments } from '../collections.ts';
import type { Attachment } from './types.ts';

const shown: PropertyShape = { type: 'Edm.String', filterable: false, orderable: false };

/** Properties by which lists of attachments can be filtered and ordered. */
export const attachmentShape: EntityShape<Attachment> = entityShape<Attachment>({
  name: 'attachment',
  collection: attachments,
  properties: {
    id: shown,
    name: { type: 'Edm.String', field: 'name', ignoreCase: true },
    size: { type: 'Edm.Int32', field: 'size' },
    contentType: { type: 'Edm.String', ignoreCase: true },
    isInline: { type: 'Edm.Boolean' },
    lastModifiedDateTime: { type: 'Edm.DateTimeOffset', read: (it: Attachment) => it.modifiedAt },
    contentId: { type: 'Edm.String' },
    contentLocation: { type: 'Edm.String' },
    contentBytes: shown,
    ...Object.fromEntries(
      ['sourceUrl', 'providerType', 'permission', 'isFolder', 'previewUrl', 'thumbnailUrl'].map((name) => [
        name,
        shown,
      ]),
    ),
  },
  navigation: ['item'],
  scan: 'bounded',
});

/** `microsoft.graph.fileAttachment/contentId` selects `contentId`; attachments of other types do not have the property. */
export const withoutCasts = (select: string): string => select.replace(/(?:microsoft|vendor)\.graph\.\w+\//gi, '');
