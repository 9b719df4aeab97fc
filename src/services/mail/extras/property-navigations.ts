import { listShape, type Navigation } from '../../../kernel/odata/index.ts';
import { readable } from '../access/basic.ts';
import type { MailCall } from '../api/request.ts';
import { errors } from '../errors.ts';
import { namesIds, withNormalIds } from './id-filter.ts';
import type { ItemDocument } from './item-document.ts';
import { normalPropertyId } from './property-id.ts';

/** Extended properties are stored in the item, so nothing has to be loaded. */
export const propertyNavigations = (call: Pick<MailCall, 'isBasic'>): readonly Navigation<ItemDocument, unknown>[] => [
  propertiesNavigation(call, 'singleValueExtendedProperties', ({ single = {} }) =>
    Object.entries(single),
  ) as Navigation<ItemDocument, unknown>,
  propertiesNavigation(call, 'multiValueExtendedProperties', ({ multi = {} }) => Object.entries(multi)) as Navigation<
    ItemDocument,
    unknown
  >,
];

interface Property {
  readonly id: string;
  readonly value: string | readonly string[];
}

const propertyShape = listShape<Property>('extendedProperty', {
  id: { type: 'Edm.String', ignoreCase: true },
  value: { type: 'Edm.String' },
});

/** Extended properties cannot be listed: a client names those that it knows. */
const propertiesNavigation = (
  call: Pick<MailCall, 'isBasic'>,
  name: string,
  of: (document: ItemDocument) => readonly (readonly [id: string, value: Property['value']])[],
): Navigation<ItemDocument, Property> => ({
  name,
  many: true,
  shape: propertyShape,
  accept(options) {
    const { filter } = readable(call, options);
    if (filter && namesIds(filter)) return withNormalIds(options, normalPropertyId);
    const reason = `The expansion of '${name}' needs a filter for ids: ${name}($filter=id eq 'String {00020329-0000-0000-c000-000000000046} Name Color').`;
    throw errors.ErrorInvalidUrlQueryFilter({ reason }, { target: '$expand' });
  },
  load: (parents) => Promise.resolve(parents.map((parent) => of(parent).map(([id, value]) => ({ id, value })))),
  view: ({ id, value }) => ({ id, value }),
  always: ['id'],
});
