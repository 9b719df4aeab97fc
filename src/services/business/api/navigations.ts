import { applySelect, MOST_EXPANDED, type Navigation } from '../../../kernel/odata/index.ts';
import { type Filter, pagesOf, type Stored } from '../../../kernel/store/index.ts';
import type { EmbeddedList, Page, PageNavigation, Table, Value } from '../model/types.ts';
import { type BusinessRecord, records } from '../records/collection.ts';
import { asCompany } from '../records/companies.ts';
import type { Company } from '../records/company.ts';
import { columnOf, conditions, TABLE_ORDER, type Where } from '../records/conditions.ts';
import { fieldValue, keyOf, listOf, NO_GUID, Row } from '../records/row.ts';
import { derivedRows, scopeOf } from './find.ts';
import type { Session } from './session.ts';
import { shapeOf } from './shape.ts';
import { keyText, type View, viewOf } from './view.ts';

/** State of a loaded record, besides its values. */
interface Known {
  readonly stored: Stored<BusinessRecord>;
  /** Company of the record; undefined for records shared by all companies. */
  readonly company: Company | undefined;
  /** Embedded lists of the record. */
  embedded?: Record<string, readonly Readonly<View>[]>;
}

/** A navigation, resolved to its page and table. */
interface Way {
  readonly navigation: PageNavigation;
  /** The table that the navigation starts from. */
  readonly owner: Table;
  readonly page: Page;
  readonly table: Table;
}

const PAGE = 1000;

/** The expandable navigations of a page, at any depth, for one request. */
export class Navigations {
  readonly #session: Session;
  readonly #known = new WeakMap<BusinessRecord, Known>();

  constructor(session: Session) {
    this.#session = session;
  }

  /** Registers records before they are shown, and loads their embedded lists. */
  async prepare(
    page: Page,
    table: Table,
    items: readonly Stored<BusinessRecord>[],
    company: Company | undefined,
  ): Promise<void> {
    for (const stored of items) this.#remember(stored, company);
    const found = items.map(({ value }) => value);
    for (const list of page.embedded ?? []) await this.#embed(list, page, table, found);
  }

  view(page: Page, table: Table, record: BusinessRecord): View {
    const { stored, company, embedded } = this.#knownOf(record);
    const prefix = company ? `companies(${company.id})/` : '';
    const address = `${this.#session.base}/${prefix}${page.set}(${keyText(page, table, record)})`;
    return Object.assign(viewOf(page, table, stored, address), embedded);
  }

  of(page: Page, owner: Table): Navigation<BusinessRecord, BusinessRecord>[] {
    return page.navigations.flatMap((navigation) => {
      const way = this.#way(navigation, owner);
      return way ? [this.#navigation(way)] : [];
    });
  }

  #way(navigation: PageNavigation, owner: Table): Way | undefined {
    const { model, api } = this.#session;
    const page = model.page(api, navigation.set);
    return page && { navigation, owner, page, table: model.table(page.table) };
  }

  #navigation(way: Way): Navigation<BusinessRecord, BusinessRecord> {
    const { navigation, page, table } = way;
    return {
      name: navigation.name,
      many: navigation.many,
      shape: shapeOf(page, table),
      load: (parents) => this.#load(way, parents),
      view: (child) => this.view(page, table, child),
      navigations: () => this.of(page, table),
    };
  }

  /** The children of each parent. Parents may belong to several companies, or be companies. */
  async #load(way: Way, parents: readonly BusinessRecord[]): Promise<BusinessRecord[][]> {
    const children: BusinessRecord[][] = parents.map(() => []);
    const places = parents.map((parent, index) => ({ parent, index, company: this.#companyBelow(way, parent) }));
    for (const group of Map.groupBy(places, ({ company }) => company?.key).values()) {
      const company = group[0]?.company;
      const own = group.map(({ parent }) => parent);
      const found = await this.#loadIn(way, own, company);
      const all = found.flat();
      await this.prepare(way.page, way.table, all, company);
      for (const [i, { index }] of group.entries()) children[index] = (found[i] ?? []).map(({ value }) => value);
    }
    return children;
  }

  #companyBelow({ navigation, owner }: Way, parent: BusinessRecord): Company | undefined {
    const { stored, company } = this.#knownOf(parent);
    const isOfWholeCompany = Object.keys(navigation.on).length === 0;
    return isOfWholeCompany ? asCompany(owner, this.#session.tenantId, stored) : company;
  }

  async #loadIn(way: Way, parents: readonly BusinessRecord[], company: Company | undefined) {
    const { navigation, owner, page, table } = way;
    const wheres = parents.map((parent) => related(navigation, owner, parent, page.where));
    if (page.derived !== undefined) return this.#derived(way, parents, wheres, company);
    const variable = Object.keys(navigation.on).filter((field) => typeof navigation.on[field] === 'string');
    const [by] = variable;
    if (variable.length > 1) throw new Error(`'${navigation.name}' uses several fields`);
    const constants = Object.fromEntries(Object.entries(wheres[0] ?? {}).filter(([field]) => field !== by));
    const scope = scopeOf(this.#session, { table, company });
    if (by === undefined) {
      const everything = await this.#query(conditions(table, listOf(scope, table), constants));
      return parents.map(() => everything);
    }
    const wanted = [...new Set(wheres.map((where) => where[by] as string))].filter((value) => value !== NO_GUID);
    const found =
      by === 'id'
        ? await this.#byIds(table, scope, wanted, constants)
        : await this.#byField(table, scope, by, wanted, constants);
    const limit = navigation.many ? undefined : 1;
    return wheres.map((where) => (found.get(where[by]) ?? []).slice(0, limit));
  }

  async #byIds(table: Table, scope: string, ids: readonly string[], constants: Where) {
    const found = new Map<unknown, Stored<BusinessRecord>[]>();
    for (const id of ids) {
      const stored = await this.#session.reader.get(records, keyOf(scope, table, id), 'none');
      if (stored && hasValues(table, stored.value, constants)) found.set(id, [stored]);
    }
    return found;
  }

  async #byField(table: Table, scope: string, by: string, values: readonly string[], constants: Where) {
    const field = columnOf(table, by);
    if (field === undefined) throw new Error(`the field '${by}' of '${table.name}' is in no column`);
    const found = new Map<unknown, Stored<BusinessRecord>[]>();
    if (values.length === 0) return found;
    const base = conditions(table, listOf(scope, table), constants);
    for (const stored of await this.#query({ op: 'and', args: [base, { op: 'in', field, values }] })) {
      const owner = fieldValue(table, stored.value, by);
      const children = found.get(owner);
      if (children) children.push(stored);
      else found.set(owner, [stored]);
    }
    return found;
  }

  /** In the order of the table. Reads at most one page beyond the expansion limit, so that exceeding the limit is noticed. */
  async #query(filter: Filter): Promise<Stored<BusinessRecord>[]> {
    const found: Stored<BusinessRecord>[] = [];
    for await (const page of pagesOf(this.#session.reader, records, { filter, order: TABLE_ORDER, page: PAGE })) {
      found.push(...page);
      if (found.length > MOST_EXPANDED) break;
    }
    return found;
  }

  async #derived(
    { owner, page, table, navigation }: Way,
    parents: readonly BusinessRecord[],
    wheres: readonly Where[],
    company: Company | undefined,
  ): Promise<Stored<BusinessRecord>[][]> {
    const children: Stored<BusinessRecord>[][] = [];
    for (const [i, parent] of parents.entries()) {
      const place = { company, page, table, where: wheres[i] as Where, address: navigation.name };
      // A navigation of the company itself leads to the rows of all records.
      const isOfWholeCompany = Object.keys(navigation.on).length === 0;
      const about = isOfWholeCompany ? {} : { parent: new Row(owner, this.#knownOf(parent).stored) };
      const rows = await derivedRows(this.#session, { ...place, ...about });
      children.push(rows.map(({ stored }) => stored));
    }
    return children;
  }

  /** Sets the embedded lists of the records. */
  async #embed(list: EmbeddedList, page: Page, owner: Table, found: readonly BusinessRecord[]): Promise<void> {
    const navigation = page.navigations.find(({ name }) => name === list.navigation);
    const way = navigation && this.#way(navigation, owner);
    if (!way) throw new Error(`'${page.set}' has no navigation '${list.navigation}' to embed`);
    const shown = list.properties.map((name) => ({ segments: [name], at: 0 }));
    for (const [i, children] of (await this.#load(way, found)).entries()) {
      const known = this.#knownOf(found[i] as BusinessRecord);
      const views = children.map((child) => {
        const { '@odata.etag': _, ...view } = this.view(way.page, way.table, child);
        return applySelect(view, shown);
      });
      known.embedded = { ...known.embedded, [list.name]: views };
    }
  }

  #remember(stored: Stored<BusinessRecord>, company: Company | undefined): void {
    this.#known.set(stored.value, { stored, company });
  }

  #knownOf(record: BusinessRecord): Known {
    const known = this.#known.get(record);
    if (!known) throw new Error(`the record ${record.id} was shown before it was read`);
    return known;
  }
}

/** Conditions that the related records of one record meet. */
function related({ on }: PageNavigation, owner: Table, parent: BusinessRecord, where: Where = {}): Where {
  const values = Object.entries(on).map(([theirs, own]): [string, Value] => [
    theirs,
    typeof own === 'string' ? fieldValue(owner, parent, own) : own.constant,
  ]);
  return { ...where, ...Object.fromEntries(values) };
}

const hasValues = (table: Table, record: BusinessRecord, where: Where): boolean =>
  Object.entries(where).every(([field, value]) => fieldValue(table, record, field) === value);
