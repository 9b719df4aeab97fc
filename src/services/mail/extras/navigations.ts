import { listShape, type Navigation } from '../../../kernel/odata/index.ts';
import { readable } from '../access/basic.ts';
import type { MailCall } from '../api/request.ts';
import { attachmentsNavigation } from '../attachments/navigations.ts';
import { type Extension, extensionId, extensionName, extensionView } from './extensions.ts';
import { withNormalIds } from './id-filter.ts';
import type { ItemDocument } from './item-document.ts';
import { propertyNavigations } from './property-navigations.ts';

/** Navigation properties that `$expand` can add to both messages and events. */
export const itemNavigations = (call: MailCall): readonly Navigation<ItemDocument, unknown>[] => [
  attachmentsNavigation(call) as Navigation<ItemDocument, unknown>,
  extensionsNavigation(call) as Navigation<ItemDocument, unknown>,
  ...propertyNavigations(call),
];

const extensionShape = listShape<Extension>('extension', {
  id: { type: 'Edm.String', ignoreCase: true, read: ({ name }: Extension) => extensionId(name) },
  extensionName: { type: 'Edm.String', ignoreCase: true, read: ({ name }: Extension) => name },
});

const extensionsNavigation = (call: MailCall): Navigation<ItemDocument, Extension> => ({
  name: 'extensions',
  many: true,
  shape: extensionShape,
  accept: (options) => withNormalIds(readable(call, options), (id) => extensionId(extensionName(id))),
  load: (parents) =>
    Promise.resolve(
      parents.map(({ extensions = {} }) => Object.entries(extensions).map(([name, values]) => ({ name, values }))),
    ),
  view: extensionView,
  always: ['id'],
});
