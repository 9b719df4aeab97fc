import { type EntityShape, entityShape, type PropertyShape } from '../../../kernel/odata/index.ts';
import { EDM_NAMES } from '../model/edm-names.ts';
import type { Field, FieldProperty, Page, PageProperty, Table } from '../model/types.ts';
import { type BusinessRecord, records } from '../records/collection.ts';
import { columnOf } from '../records/conditions.ts';
import { fieldOf, fieldValue } from '../records/row.ts';

/** The content of a stream counts as text here; no list can be filtered or ordered by it. */
const EDM = { ...EDM_NAMES, stream: EDM_NAMES.string } as const;

/** Can be selected, but lists cannot be filtered or ordered by it. */
const EMBEDDED: PropertyShape = { type: { properties: {} }, collection: true, filterable: false, orderable: false };

const shapes = new WeakMap<Page, EntityShape<BusinessRecord>>();

/** The properties that `$filter`, `$orderby` and `$select` can name on a page, with their columns in the store. */
export function shapeOf(page: Page, table: Table): EntityShape<BusinessRecord> {
  let shape = shapes.get(page);
  if (!shape) {
    shape = entityShape<BusinessRecord>({
      name: page.entity,
      collection: records,
      properties: {
        ...Object.fromEntries(page.properties.map((property) => [property.name, shaped(property, table)])),
        ...Object.fromEntries((page.embedded ?? []).map(({ name }) => [name, EMBEDDED])),
      },
      navigation: page.navigations.map(({ name }) => name),
      scan: 'bounded',
    });
    shapes.set(page, shape);
  }
  return shape;
}

function shaped(property: PageProperty, table: Table): PropertyShape {
  if (property.kind === 'field') return fieldShape(property, table);
  if (property.kind === 'computed') {
    return {
      type: EDM[property.type],
      read: (record: BusinessRecord) => property.of((field) => fieldValue(table, record, field)),
    };
  }
  const parts = property.parts.map((part) => [part.name, fieldShape(part, table)]);
  return { type: { properties: Object.fromEntries(parts) }, read: (record: BusinessRecord) => record };
}

function fieldShape({ field, asString }: FieldProperty, table: Table): PropertyShape {
  const described: Field = fieldOf(table, field);
  const { type } = described;
  const column = columnOf(table, field);
  return {
    type: typeof type === 'string' ? EDM[type] : asString ? 'Edm.String' : { members: type.members },
    ...(column !== undefined && { field: column }),
    ...(type === 'stream' && { filterable: false, orderable: false }),
    read: (record: BusinessRecord) => fieldValue(table, record, field),
  };
}
