import type { PlainType } from './types.ts';

/** OData names of field types. */
export const EDM_NAMES = {
  guid: 'Edm.Guid',
  string: 'Edm.String',
  boolean: 'Edm.Boolean',
  decimal: 'Edm.Decimal',
  int32: 'Edm.Int32',
  int64: 'Edm.Int64',
  date: 'Edm.Date',
  dateTime: 'Edm.DateTimeOffset',
  stream: 'Edm.Stream',
} as const satisfies Record<PlainType, string>;
