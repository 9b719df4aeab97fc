/**
 * What the business application is made of. A table holds records; a page shows the records of a table to clients under the names of
 * one API. Both are values: the catalogue is data, and a custom API is the same data from a file.
 */

export type PlainType = 'guid' | 'string' | 'boolean' | 'decimal' | 'int32' | 'int64' | 'date' | 'dateTime' | 'stream';

export interface EnumType {
  /** `customerBlocked` */
  readonly name: string;
  /** In order, as people read them; the blank one is a single space. On the wire what is no identifier is escaped: `Credit_x0020_Memo`. */
  readonly members: readonly string[];
}

/** What a field holds: text for strings, guids, dates (`2024-01-31`) and members of an enumeration; milliseconds for date-times. */
export type Value = string | number | boolean;

export interface Field {
  readonly type: PlainType | EnumType;
  /** Of a string. */
  readonly maxLength?: number;
  /** A code or a number: kept in upper case, without blanks at its ends. */
  readonly code?: boolean;
  /** Clients read it; the application writes it. */
  readonly readOnly?: boolean;
  /** Kept for the application's own rules: no page shows it. */
  readonly internal?: boolean;
  /** What a new record has unless told otherwise, where that is not the empty value of the type. */
  readonly initial?: Value;
  /** For people, where the name does not say it. */
  readonly caption?: string;
}

/** Columns of the store. The first text, with the first number behind it, is what a table is ordered by; the first three texts and the first number are indexed. */
export type SlotName = 't1' | 't2' | 't3' | 't4' | 't5' | 't6' | 't7' | 't8' | 'n1' | 'n2' | 'n3' | 'n4';

/** A record names another: by its system id, by what people call it, or both, which are kept in step. */
export interface Relation {
  /** The other table. */
  readonly to: string;
  /** The own field that has the system id of the other. */
  readonly id?: string;
  /** The own field that has the other's key (`number`, `code`). */
  readonly code?: string;
  /** Own fields that are filled from the other's when the relation is set. */
  readonly copies?: Readonly<Record<string, string>>;
  /** Where the other's key is unique only within something: fields of the other, and the own fields that they equal. */
  readonly within?: Readonly<Record<string, string>>;
  /** Only while own fields have these values: a journal line leads to a customer or to a vendor by its `accountType`. */
  readonly when?: Readonly<Record<string, Value>>;
}

export interface Table {
  /** `customer` */
  readonly name: string;
  /** As the real application numbers it; above 2,000,000,000 it is a system table. */
  readonly number: number;
  readonly caption: string;
  /** Besides those that every record has: see `SYSTEM_FIELDS`. */
  readonly fields: Readonly<Record<string, Field>>;
  readonly slots: Readonly<Record<string, SlotName>>;
  /** The field by which people know a record; no two of a company have the same. */
  readonly key?: string;
  /** No two have the same key that have the same value here: batches of one template, values of one dimension. */
  readonly keyWithin?: string;
  /** Gives new records their number. */
  readonly series?: string;
  readonly relations?: readonly Relation[];
  /** Lines: whose they are, and by which field. They are deleted with it, and a change to one is a change to it. */
  readonly partOf?: { readonly table: string; readonly by: string };
  /** `tenant`: there is one list for all companies. */
  readonly scope?: 'company' | 'tenant';
  /** Of a custom table; it keeps nothing. */
  readonly temporary?: boolean;
}

/** What every record has, whatever its table. */
export const SYSTEM_FIELDS: Readonly<Record<string, Field>> = {
  id: { type: 'guid' },
  lastModifiedDateTime: { type: 'dateTime', readOnly: true },
  systemCreatedAt: { type: 'dateTime', readOnly: true },
  systemCreatedBy: { type: 'guid', readOnly: true },
  systemModifiedAt: { type: 'dateTime', readOnly: true },
  systemModifiedBy: { type: 'guid', readOnly: true },
  timestamp: { type: 'int64', readOnly: true },
};

export interface FieldProperty {
  readonly kind: 'field';
  readonly name: string;
  readonly field: string;
  /** An option that this API shows as a plain string. */
  readonly asString?: boolean;
  readonly readOnly?: boolean;
}

export interface ComplexProperty {
  readonly kind: 'complex';
  readonly name: string;
  /** `postalAddressType` */
  readonly typeName: string;
  readonly parts: readonly FieldProperty[];
}

/** Shown, made from the record, never written. */
export interface ComputedProperty {
  readonly kind: 'computed';
  readonly name: string;
  readonly type: PlainType;
  readonly maxLength?: number;
  of(read: (field: string) => Value): Value;
}

export type PageProperty = FieldProperty | ComplexProperty | ComputedProperty;

export interface PageNavigation {
  readonly name: string;
  /** The set of the same API that it leads to. */
  readonly set: string;
  readonly many: boolean;
  /** Fields of the other record, and the fields of this one that they equal; `parentType` of helpers is a constant. */
  readonly on: Readonly<Record<string, string | { readonly constant: Value }>>;
}

/** Shown in every record as a list of values, taken from the rows that a navigation leads to: `dimensions` of a journal line in v1.0. */
export interface EmbeddedList {
  readonly name: string;
  /** `dimensionType` */
  readonly typeName: string;
  /** Of the same page. */
  readonly navigation: string;
  /** Of the page that it leads to. */
  readonly properties: readonly string[];
}

export type Verb = 'GET' | 'POST' | 'PATCH' | 'DELETE';

export interface Page {
  /** `customers` */
  readonly set: string;
  /** `customer`; the name of the type in `$metadata`. */
  readonly entity: string;
  readonly table: string;
  readonly caption?: string;
  readonly verbs: readonly Verb[];
  /** The first is the key. */
  readonly properties: readonly PageProperty[];
  readonly navigations: readonly PageNavigation[];
  readonly embedded?: readonly EmbeddedList[];
  /** Bound actions: `post` is called as `…(id)/Microsoft.NAV.post`. */
  readonly actions: readonly string[];
  /** Only records that have these values are on the page, and those that are made here get them. */
  readonly where?: Readonly<Record<string, Value>>;
  /** Left out of lists unless a `$filter` names the field: journals of other templates. */
  readonly unlessFiltered?: { readonly field: string; readonly is: Value };
  /** Where the key is not the system id: the values of fields that a key in an address stands for. */
  readonly keyed?: (key: string) => Readonly<Record<string, Value>> | undefined;
  /** Exactly one record in a company: `companyInformation`. */
  readonly single?: boolean;
  /** Rows that are computed when they are asked for, by this name; the table only says what they look like. */
  readonly derived?: string;
  /** Served below its parents alone, not at the company. */
  readonly child?: boolean;
  /** Of a custom API: declared as a query; declared with several key fields, or none. */
  readonly query?: boolean;
  readonly keyFields?: readonly string[];
}

/** One API: a publisher, a group and a version, or a version alone for the standard ones. */
export interface Api {
  /** `v2.0`, `contoso/fleet/v1.0`: what follows `/api/`. */
  readonly route: string;
  /** In the order in which the service document has them. */
  readonly pages: readonly Page[];
}

/** The whole model that a jar serves. */
export interface Model {
  table(name: string): Table;
  /** Without regard to case. */
  api(route: string): Api | undefined;
  readonly apis: readonly Api[];
  /** A page by its set, without regard to case. */
  page(api: Api, set: string): Page | undefined;
  /** The tables whose records are part of those of this one, and by which field. */
  linesOf(table: string): readonly { readonly table: string; readonly by: string }[];
  /** All pages over a table, of all APIs. */
  pagesOf(table: string): readonly { readonly api: Api; readonly page: Page }[];
}
