/** Shared lookups in the model. */
import { type EnumType, type Field, type FieldProperty, type Model, type Page, SYSTEM_FIELDS } from './types.ts';

/** The field of a page's table, or the system field of that name. */
export function fieldOf(model: Model, page: Page, name: string): Field {
  const field = model.table(page.table).fields[name] ?? SYSTEM_FIELDS[name];
  if (!field) throw new Error(`the table "${page.table}" has no field "${name}", which the page "${page.set}" shows`);
  return field;
}

/** All fields that a page shows, including those within complex properties. */
export const fieldProperties = (page: Page): readonly FieldProperty[] =>
  page.properties.flatMap((shown) =>
    shown.kind === 'field' ? [shown] : shown.kind === 'complex' ? [...shown.parts] : [],
  );

export const propertyNames = (page: Page): readonly string[] => [
  ...page.properties.map(({ name }) => name),
  ...(page.embedded ?? []).map(({ name }) => name),
];

/** Enumerations that pages show as enumerations, each once. */
export function enumsOf(model: Model, pages: readonly Page[]): readonly EnumType[] {
  const found = new Map<string, EnumType>();
  for (const page of pages) {
    for (const { field, asString } of fieldProperties(page)) {
      const { type } = fieldOf(model, page, field);
      if (typeof type === 'object' && !asString) found.set(type.name, type);
    }
  }
  return [...found.values()];
}
