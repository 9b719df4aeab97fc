import type { Page } from '../../types.ts';
import { defaultDimensions, documentAttachments, many, one, page, READ_VERBS, twin } from '../notation.ts';

export const ITEM_PAGES: readonly Page[] = [
  page('items', 'item', {
    hidden: ['baseUnitOfMeasureName', 'baseUnitOfMeasureSymbol', 'baseUnitOfMeasureConversion'],
    navigations: [
      one('itemCategory', 'itemCategories', 'itemCategoryId'),
      one('inventoryPostingGroup', 'inventoryPostingGroups', 'inventoryPostingGroupId'),
      one('generalProductPostingGroup', 'generalProductPostingGroups', 'generalProductPostingGroupId'),
      one('unitOfMeasure', 'unitsOfMeasure', 'baseUnitOfMeasureId'),
      twin('picture', 'pictures'),
      defaultDimensions('Item'),
      many('itemVariants', 'itemId'),
      documentAttachments('Item'),
    ],
  }),
  page('itemCategories', 'itemCategory'),
  page('itemVariants', 'itemVariant', { navigations: [one('item', 'items', 'itemId')] }),
  page('unitsOfMeasure', 'unitOfMeasure'),
  page('locations', 'location'),
  page('inventoryPostingGroups', 'inventoryPostingGroup', { verbs: READ_VERBS }),
  page('generalProductPostingGroups', 'generalProductPostingGroup', { verbs: READ_VERBS }),
];
