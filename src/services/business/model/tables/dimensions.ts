import {
  defaultDimensionParentType,
  defaultDimensionValuePosting,
  dimensionSetEntryBufferParentType,
} from '../enums.ts';
import { code, guid, internal, named, option, readOnly, related, text } from '../notation.ts';

/** Dimensions, their values, and default dimensions of records. */
export const DIMENSION_TABLES = named({
  dimension: {
    number: 348,
    caption: 'Dimension',
    key: 'code',
    fields: { code: code(20), displayName: text(30), consolidationCode: code(20) },
    slots: { code: 't1', displayName: 't2' },
  },
  dimensionValue: {
    number: 349,
    caption: 'Dimension Value',
    key: 'code',
    keyWithin: 'dimensionId',
    fields: { code: code(20), dimensionId: guid, displayName: text(100), consolidationCode: code(20) },
    slots: { code: 't1', dimensionId: 't2', displayName: 't3' },
    relations: [related('dimension', 'dimensionId')],
  },
  /** Refers to a record of one of several tables by `parentType` and `parentId`, and to a dimension with one of its values. */
  defaultDimension: {
    number: 352,
    caption: 'Default Dimension',
    fields: {
      parentType: option(defaultDimensionParentType),
      parentId: guid,
      dimensionId: guid,
      dimensionCode: code(20),
      dimensionValueId: guid,
      dimensionValueCode: code(20),
      postingValidation: option(defaultDimensionValuePosting),
    },
    slots: { parentId: 't1', dimensionCode: 't2', parentType: 't3', dimensionId: 't4', dimensionValueCode: 't5' },
    relations: [
      related('dimension', 'dimensionId', 'dimensionCode'),
      {
        to: 'dimensionValue',
        id: 'dimensionValueId',
        code: 'dimensionValueCode',
        within: { dimensionId: 'dimensionId' },
      },
    ],
  },
  dimensionSetLine: {
    number: 480,
    caption: 'Dimension Set Entry',
    fields: {
      code: code(20),
      displayName: readOnly(text(30)),
      consolidationCode: readOnly(code(20)),
      parentId: guid,
      parentType: option(dimensionSetEntryBufferParentType),
      valueId: guid,
      valueCode: code(20),
      valueDisplayName: readOnly(text(100)),
      valueConsolidationCode: readOnly(code(20)),
      // Values are looked up within their dimension.
      dimensionId: internal(guid),
    },
    slots: { parentId: 't1', code: 't2', parentType: 't3', valueId: 't4', valueCode: 't5' },
    relations: [
      related('dimension', 'dimensionId', 'code', {
        displayName: 'displayName',
        consolidationCode: 'consolidationCode',
      }),
      {
        to: 'dimensionValue',
        id: 'valueId',
        code: 'valueCode',
        within: { dimensionId: 'dimensionId' },
        copies: { valueDisplayName: 'displayName', valueConsolidationCode: 'consolidationCode' },
      },
    ],
  },
});
