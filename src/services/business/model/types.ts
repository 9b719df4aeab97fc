/**
 * Types of the model. A table holds records; a page shows the records of a table to clients under the names of one API. Both are plain
 * data: the standard catalogue is written in code, and a custom API is the same data from a file.
 */

export type PlainType = 'guid' | 'string' | 'boolean' | 'decimal' | 'int32' | 'int64' | 'date' | 'dateTime' | 'stream';

export interface EnumType {
  /** For example `customerBlocked`. */
  readonly name: string;
  /**
   * In order, as people read them; the blank member is a single space. On the wire, characters that an identifier cannot have are escaped:
   * `Credit_x0020_Memo`.
   */
  readonly members: readonly string[];
}

/** Stored value: text for strings, guids, dates (`2024-01-31`) and enumeration members; milliseconds for date-times. */
export type Value = string | number | boolean;

export interface Field {
  readonly type: PlainType | EnumType;
  /** For a string. */
  readonly maxLength?: number;
  /** A code or a number: stored in upper case and trimmed. */
  readonly code?: boolean;
  /** Only the application writes it. */
  readonly readOnly?: boolean;
  /** For the application's own rules: no page shows it. */
  readonly internal?: boolean;
  /** Default of a new record, if it differs from the empty value of the type. */
  readonly initial?: Value;
  /** Caption for people, if the name does not suffice. */
  readonly caption?: string;
}

/**
 * Columns of the store. A table is ordered by the first text column, then the first number column; the first three text columns and the
 * first number column are indexed.
 */
export type SlotName = 't1' | 't2' | 't3' | 't4' | 't5' | 't6' | 't7' | 't8' | 'n1' | 'n2' | 'n3' | 'n4';

/** A reference to another record: by its system id, by its key (number or code), or by both, which are kept in sync. */
export interface Relation {
  /** The other table. */
  readonly to: string;
  /** The own field with the system id of the other record. */
  readonly id?: string;
  /** The own field with the other record's key (`number`, `code`). */
  readonly code?: string;
  /** Own fields that are copied from the other record when the relation is set. */
  readonly copies?: Readonly<Record<string, string>>;
  /** If the other record's key is unique only within a scope: fields of the other record, and the own fields that they equal. */
  readonly within?: Readonly<Record<string, string>>;
  /** Applies only while own fields have these values: a journal line refers to a customer or to a vendor depending on its `accountType`. */
  readonly when?: Readonly<Record<string, Value>>;
}

export interface Table {
  /** For example `customer`. */
  readonly name: string;
  /** The table's number in the real application; system tables are above 2,000,000,000. */
  readonly number: number;
  readonly caption: string;
  /** Without the fields of every record: see `SYSTEM_FIELDS`. */
  readonly fields: Readonly<Record<string, Field>>;
  readonly slots: Readonly<Record<string, SlotName>>;
  /** The field that identifies a record for people; unique within a company. */
  readonly key?: string;
  /** The key is unique only among records with the same value of this field: batches of one template, values of one dimension. */
  readonly keyWithin?: string;
  /** Number series of new records. */
  readonly series?: string;
  readonly relations?: readonly Relation[];
  /**
   * For lines: the table of their parent, and the field that refers to it. Lines are deleted with their parent, and a change to a line is a
   * change to its parent.
   */
  readonly partOf?: { readonly table: string; readonly by: string };
  /** `tenant`: one list for all companies. */
  readonly scope?: 'company' | 'tenant';
  /** For a custom table: its records are not stored. */
  readonly temporary?: boolean;
}

/** Fields of every record, whatever its table. */
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
  /** An enumeration that this API shows as a plain string. */
  readonly asString?: boolean;
  readonly readOnly?: boolean;
}

export interface ComplexProperty {
  readonly kind: 'complex';
  readonly name: string;
  /** For example `postalAddressType`. */
  readonly typeName: string;
  readonly parts: readonly FieldProperty[];
}

/** Derived from the record; read-only. */
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
  /** Target set, in the same API. */
  readonly set: string;
  readonly many: boolean;
  /** Fields of the other record, and the fields of this record that they equal; `parentType` of helper records is a constant. */
  readonly on: Readonly<Record<string, string | { readonly constant: Value }>>;
}

/** A list of values shown in every record, from the rows of a navigation: `dimensions` of a journal line in v1.0. */
export interface EmbeddedList {
  readonly name: string;
  /** For example `dimensionType`. */
  readonly typeName: string;
  /** Navigation of the same page. */
  readonly navigation: string;
  /** Properties of the target page. */
  readonly properties: readonly string[];
}

export type Verb = 'GET' | 'POST' | 'PATCH' | 'DELETE';

export interface Page {
  /** For example `customers`. */
  readonly set: string;
  /** For example `customer`; the name of the type in `$metadata`. */
  readonly entity: string;
  readonly table: string;
  readonly caption?: string;
  readonly verbs: readonly Verb[];
  /** The first property is the key. */
  readonly properties: readonly PageProperty[];
  readonly navigations: readonly PageNavigation[];
  readonly embedded?: readonly EmbeddedList[];
  /** Bound actions: `post` is called as `…(id)/Microsoft.NAV.post`. */
  readonly actions: readonly string[];
  /** The page contains only records with these values; new records get them. */
  readonly where?: Readonly<Record<string, Value>>;
  /** Lists show only records with this value unless a `$filter` names the field: journals of other templates are left out. */
  readonly unlessFiltered?: { readonly field: string; readonly is: Value };
  /** If the key is not the system id: the field values that a key in an address stands for. */
  readonly keyed?: (key: string) => Readonly<Record<string, Value>> | undefined;
  /** Exactly one record per company: `companyInformation`. */
  readonly single?: boolean;
  /** Name of the rule that computes the rows on request; the table defines only their shape. */
  readonly derived?: string;
  /** Served only below its parents, not directly below the company. */
  readonly child?: boolean;
  /** For a custom API: declared as a query, or declared with several key fields or none. */
  readonly query?: boolean;
  readonly keyFields?: readonly string[];
}

/** One API: publisher, group and version, or only a version for the standard APIs. */
export interface Api {
  /** The path after `/api/`: `v2.0`, `contoso/fleet/v1.0`. */
  readonly route: string;
  /** In the order of the service document. */
  readonly pages: readonly Page[];
}

/** The whole model that a jar serves. */
export interface Model {
  table(name: string): Table;
  /** Ignores case. */
  api(route: string): Api | undefined;
  readonly apis: readonly Api[];
  /** A page by its set, ignoring case. */
  page(api: Api, set: string): Page | undefined;
  /** The line tables of a table, with the field that refers to the parent. */
  linesOf(table: string): readonly { readonly table: string; readonly by: string }[];
  /** All pages over a table, in all APIs. */
  pagesOf(table: string): readonly { readonly api: Api; readonly page: Page }[];
}
