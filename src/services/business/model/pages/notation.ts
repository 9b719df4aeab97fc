/** Notation for pages: a page of v2.0 shows all fields of its table under their own names. */
import { TABLES, type TableName } from '../tables/index.ts';
import type { FieldProperty, Page, PageNavigation, PageProperty, Value, Verb } from '../types.ts';

export const ALL_VERBS: readonly Verb[] = ['GET', 'POST', 'PATCH', 'DELETE'];
export const READ_VERBS: readonly Verb[] = ['GET'];

export const property = (name: string, field: string = name): FieldProperty => ({ kind: 'field', name, field });

/** To one record, by its id. */
export const one = (name: string, set: string, by: string): PageNavigation => ({
  name,
  set,
  many: false,
  on: { id: by },
});

/** To at most one record with the same id as this one: a picture, a document as a file. */
export const twin = (name: string, set: string): PageNavigation => one(name, set, 'id');

/** To all records that refer to this one. */
export const many = (name: string, by: string, set: string = name): PageNavigation => ({
  name,
  set,
  many: true,
  on: { [by]: 'id' },
});

/** To helper records of this record (files, default dimensions and so on), which refer to it by `parentType` and `parentId`. */
const helpers = (set: string, parentType: Value): PageNavigation => ({
  name: set,
  set,
  many: true,
  on: { parentId: 'id', parentType: { constant: parentType } },
});

export const defaultDimensions = (parentType: string): PageNavigation => helpers('defaultDimensions', parentType);
export const dimensionSetLines = (parentType: string): PageNavigation => helpers('dimensionSetLines', parentType);
export const attachments = (parentType: string): PageNavigation => helpers('attachments', parentType);
export const documentAttachments = (parentType: string): PageNavigation => helpers('documentAttachments', parentType);

export const contactsInformation = (relatedType: string): PageNavigation => ({
  name: 'contactsInformation',
  set: 'contactsInformation',
  many: true,
  on: { relatedId: 'id', relatedType: { constant: relatedType } },
});

interface Shown extends Partial<Omit<Page, 'set' | 'entity' | 'table'>> {
  /** Default: the name of the table. */
  readonly entity?: string;
  /** Fields of the table that the page does not show. */
  readonly hidden?: readonly string[];
  /** Does not show the time of the last change: lines. */
  readonly undated?: boolean;
}

/** A page over a table. Default: shows the id, all fields in their order and the time of the last change. */
export function page(set: string, table: TableName, shown: Shown = {}): Page {
  const { entity = table, hidden = [], undated = false, ...rest } = shown;
  return {
    set,
    entity,
    table,
    verbs: ALL_VERBS,
    navigations: [],
    actions: [],
    properties: allFields(table, hidden, undated),
    ...rest,
  };
}

function allFields(table: TableName, hidden: readonly string[], undated: boolean): readonly PageProperty[] {
  const { fields } = TABLES[table];
  const shown = Object.keys(fields).filter((field) => !fields[field]!.internal && !hidden.includes(field));
  const names = ['id', ...shown, ...(undated ? [] : ['lastModifiedDateTime'])];
  return names.map((name) => property(name));
}
