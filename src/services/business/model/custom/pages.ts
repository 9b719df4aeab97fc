import { parseInstant } from '../../../../kernel/odata/index.ts';
import { columnOf } from '../../records/conditions.ts';
import { readMember } from '../enum-text.ts';
import { ALL_VERBS, READ_VERBS } from '../pages/notation.ts';
import {
  type Field,
  type Page,
  type PageNavigation,
  type PageProperty,
  SYSTEM_FIELDS,
  type Table,
  type Value,
  type Verb,
} from '../types.ts';
import {
  type DeclaredEntity,
  type DeclaredNavigation,
  mistake,
  requireIdentifier,
  requireUnique,
  unknown,
} from './declared.ts';

const SHOWN_FIRST = 'id';
const SHOWN_LAST = 'lastModifiedDateTime';

/** The page of a declared entity. Navigations are added when all pages of the API are known. */
export function declaredPage(path: string, entity: DeclaredEntity, table: Table): Page {
  const { entityName, entitySetName, caption, query = false, keyFields = [SHOWN_FIRST] } = entity;
  const shown = declaredProperties(path, entity, table);
  for (const [index, key] of keyFields.entries()) {
    if (shown.some(({ name }) => name === key)) continue;
    throw unknown(
      `${path}.keyFields[${index}]`,
      'property of the entity',
      key,
      shown.map(({ name }) => name),
    );
  }
  const [key] = keyFields;
  return {
    set: entitySetName,
    entity: entityName,
    table: table.name,
    verbs: declaredVerbs(path, entity, table),
    properties: key === undefined ? shown : firstBy(shown, key),
    navigations: [],
    actions: [],
    ...(caption !== undefined && { caption }),
    ...(query && { query }),
    ...(keyFields.length === 1 ? keyedBy(`${path}.keyFields[0]`, table, shown, key!) : { keyFields }),
  };
}

/** Tables that only the application writes: entries by posting, companies by the seed, subscriptions by their own set. */
const CLOSED_TABLES: Readonly<Record<string, readonly Verb[]>> = {
  generalLedgerEntry: READ_VERBS,
  customerLedgerEntry: READ_VERBS,
  vendorLedgerEntry: READ_VERBS,
  company: READ_VERBS,
  subscription: READ_VERBS,
  companyInformation: ['GET', 'PATCH'],
};

function declaredVerbs(path: string, { verbs, query = false }: DeclaredEntity, { name }: Table): readonly Verb[] {
  const closed = Object.hasOwn(CLOSED_TABLES, name) ? CLOSED_TABLES[name]! : ALL_VERBS;
  const possible = query ? READ_VERBS : closed;
  const refused = verbs?.find((verb) => !possible.includes(verb));
  if (refused === undefined) return verbs ?? possible;
  const what = query ? 'a query' : `the table "${name}"`;
  throw mistake(`${path}.verbs`, `of ${what} can be ${possible.map((verb) => `"${verb}"`).join(' and ')} only`);
}

function declaredProperties(path: string, entity: DeclaredEntity, table: Table): readonly PageProperty[] {
  const declared = entity.properties ?? [SHOWN_FIRST, ...openFields(table), SHOWN_LAST];
  const taken = new Set<string>();
  const shown = declared.map((property, index): PageProperty => {
    const where = `${path}.properties[${index}]`;
    const { name, field } = typeof property === 'string' ? { name: property, field: property } : property;
    requireIdentifier(where, name);
    requireUnique(where, name, taken, 'property');
    if (!fieldIn(table, field)) throw unknown(where, `field of the table "${table.name}"`, field, fieldNames(table));
    return { kind: 'field', name, field };
  });
  const needsId = entity.keyFields === undefined && !taken.has(SHOWN_FIRST);
  return needsId ? [{ kind: 'field', name: SHOWN_FIRST, field: SHOWN_FIRST }, ...shown] : shown;
}

const firstBy = (shown: readonly PageProperty[], key: string): readonly PageProperty[] => [
  ...shown.filter(({ name }) => name === key),
  ...shown.filter(({ name }) => name !== key),
];

/** A key other than the system id identifies a record by the value of its field. */
function keyedBy(path: string, table: Table, shown: readonly PageProperty[], key: string): Pick<Page, 'keyed'> {
  const property = shown.find(({ name }) => name === key);
  const field = property?.kind === 'field' ? property.field : key;
  if (field === SHOWN_FIRST) return {};
  if (columnOf(table, field) === undefined) {
    throw mistake(path, `cannot be "${key}": records of "${table.name}" cannot be looked up by it`);
  }
  const kept = fieldIn(table, field)!;
  return {
    keyed: (text) => {
      const value = asStored(kept, text);
      return value === undefined ? undefined : { [field]: value };
    },
  };
}

/** Returns undefined if no record can have the value. */
function asStored({ type, code }: Field, text: string): Value | undefined {
  if (typeof type === 'object') return readMember(type, text);
  if (type === 'int32' || type === 'int64' || type === 'decimal') {
    return Number.isFinite(Number(text)) ? Number(text) : undefined;
  }
  if (type === 'dateTime') return parseInstant(text);
  if (type === 'guid') return text.toLowerCase();
  return code ? text.trim().toUpperCase() : text;
}

export function declaredNavigation(
  path: string,
  { name, set, many = false, on }: DeclaredNavigation,
  own: { readonly page: Page; readonly table: Table },
  targets: ReadonlyMap<string, { readonly page: Page; readonly table: Table }>,
): PageNavigation {
  requireIdentifier(`${path}.name`, name);
  if (own.page.properties.some((shown) => shown.name.toLowerCase() === name.toLowerCase())) {
    throw mistake(`${path}.name`, `is taken: there is a property "${name}"`);
  }
  const target = targets.get(set.toLowerCase());
  if (!target)
    throw unknown(
      `${path}.set`,
      'set of the same API',
      set,
      [...targets.values()].map((it) => it.page.set),
    );
  const variable = Object.values(on).filter((value) => typeof value === 'string');
  if (variable.length !== 1)
    throw mistake(`${path}.on`, 'must name exactly one own field; all other values must be constants');
  for (const [theirs, value] of Object.entries(on)) {
    if (!fieldIn(target.table, theirs)) {
      throw unknown(`${path}.on`, `field of the table "${target.table.name}"`, theirs, fieldNames(target.table));
    }
    if (theirs !== SHOWN_FIRST && !Object.hasOwn(target.table.slots, theirs)) {
      throw mistake(
        `${path}.on`,
        `cannot use "${theirs}": records of "${target.table.name}" cannot be looked up by it`,
      );
    }
    if (typeof value === 'string' && !fieldIn(own.table, value)) {
      throw unknown(`${path}.on.${theirs}`, `field of the table "${own.table.name}"`, value, fieldNames(own.table));
    }
  }
  return { name, set: target.page.set, many, on };
}

function fieldIn(table: Table, name: string): Field | undefined {
  if (openFields(table).includes(name)) return table.fields[name];
  return Object.hasOwn(SYSTEM_FIELDS, name) ? SYSTEM_FIELDS[name] : undefined;
}

/** Fields that clients may see: all but internal ones. */
const openFields = (table: Table): readonly string[] =>
  Object.keys(table.fields).filter((name) => !table.fields[name]!.internal);

const fieldNames = (table: Table): readonly string[] => [...openFields(table), ...Object.keys(SYSTEM_FIELDS)];
