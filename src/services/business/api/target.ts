import { isGuid } from '../../../kernel/odata/index.ts';
import { errors } from '../errors.ts';
import type { Page, PageNavigation, PageProperty, Table } from '../model/types.ts';
import { companyById, companyByName } from '../records/companies.ts';
import type { Company } from '../records/company.ts';
import type { Where } from '../records/conditions.ts';
import type { Row } from '../records/row.ts';
import { findOne, readOne } from './find.ts';
import { actionName, parsePath, type Segment } from './path.ts';
import type { BusinessRequest } from './request.ts';
import type { Session } from './session.ts';
import { resourceNotFound, unknownSegment } from './unknown-segment.ts';

/** A set of records: a page in a company, or the related records of one record. */
export interface Place {
  /** Undefined for records shared by all companies. */
  readonly company: Company | undefined;
  readonly page: Page;
  readonly table: Table;
  /** Conditions that all records of the set meet; a new record gets these values. */
  readonly where: Where;
  /** Path below the API: `companies(…)/customers`. */
  readonly address: string;
  /** The record that the set belongs to. */
  readonly parent?: Row;
}

/** Target of an address. */
export type Target =
  | { readonly kind: 'service' }
  | { readonly kind: 'metadata' }
  | { readonly kind: 'batch' }
  | { readonly kind: 'definitions'; readonly entity?: string }
  | SubscriptionTarget
  | { readonly kind: 'collection'; readonly place: Place; readonly isCount: boolean }
  | { readonly kind: 'entity'; readonly place: Place; readonly row: Row }
  /** A navigation to one record that does not exist. */
  | { readonly kind: 'nothing'; readonly place: Place }
  | { readonly kind: 'action'; readonly place: Place; readonly row: Row; readonly action: string }
  | PropertyTarget;

export interface SubscriptionTarget {
  readonly kind: 'subscriptions';
  readonly company?: Company;
  readonly key?: string;
  readonly isCount: boolean;
}

export interface PropertyTarget {
  readonly kind: 'property';
  readonly place: Place;
  readonly row: Row;
  readonly property: PageProperty;
  /** `/$value`: the raw value instead of JSON. */
  readonly isRaw: boolean;
}

/** Resolves the path of a request. */
export async function resolveTarget(session: Session, request: BusinessRequest): Promise<Target> {
  const segments = parsePath(request.path);
  const unknown = unknownSegment(session.model, session.api, segments);
  if (unknown) throw resourceNotFound(request.path, unknown, session.base);
  const [first, ...rest] = segments;
  if (!first) return { kind: 'service' };
  const name = first.name.toLowerCase();
  if (name === '$metadata' && rest.length === 0) return { kind: 'metadata' };
  if (name === '$batch' && rest.length === 0) return { kind: 'batch' };
  if (name === 'entitydefinitions' && rest.length === 0) {
    return { kind: 'definitions', ...(first.key !== undefined && { entity: first.key }) };
  }
  const walk = new Walk(session, request.path);
  if (name !== 'companies') {
    if (name === 'subscriptions') return walk.subscriptions(first, rest, undefined);
    return walk.company(await namedCompany(session, request), '', segments);
  }
  const companies = walk.place('companies', undefined, 'companies', {});
  if (first.key === undefined) return walk.collection(companies, rest);
  const company = isGuid(first.key)
    ? await companyById(session.reader, session.model, session.tenantId, first.key)
    : undefined;
  if (!company) throw errors.Internal_CompanyNotFound({ company: `'${first.key.slice(0, 100)}'` });
  const [second] = rest;
  if (second?.name.toLowerCase() === 'subscriptions') return walk.subscriptions(second, rest.slice(1), company);
  const isSet = second && session.model.page(session.api, second.name);
  if (isSet) return walk.company(company, `companies(${company.id})/`, rest);
  return walk.entity(companies, await readOne(session, companies, company.id), rest);
}

/** Named by `?company=` or the header, with an id or a name. */
async function namedCompany(session: Session, { query, headers }: BusinessRequest): Promise<Company> {
  const named = query.company ?? headers.company;
  if (typeof named !== 'string' || named.trim() === '') {
    throw errors.Internal_CompanyNotFound({ company: 'in the request' });
  }
  const { reader, model, tenantId } = session;
  const company = await (isGuid(named) ? companyById : companyByName)(reader, model, tenantId, named);
  if (!company) throw errors.Internal_CompanyNotFound({ company: `'${named.slice(0, 100)}'` });
  return company;
}

class Walk {
  readonly #session: Session;
  readonly #path: string;

  constructor(session: Session, path: string) {
    this.#session = session;
    this.#path = path;
  }

  company(company: Company, prefix: string, [first, ...rest]: readonly Segment[]): Promise<Target> | Target {
    const { name } = first as Segment;
    const page = this.#session.model.page(this.#session.api, name);
    if (!page || page.set === 'companies' || page.set === 'subscriptions') throw this.#unknown(name);
    const place = this.place(page.set, company, `${prefix}${page.set}`, page.where ?? {});
    return this.#keyed(place, first as Segment, rest);
  }

  place(set: string, company: Company | undefined, address: string, where: Where, parent?: Row): Place {
    const page = this.#session.model.page(this.#session.api, set);
    if (!page) throw this.#unknown(set);
    const table = this.#session.model.table(page.table);
    return { company, page, table, where: { ...page.where, ...where }, address, ...(parent && { parent }) };
  }

  async #keyed(place: Place, { key }: Segment, rest: readonly Segment[]): Promise<Target> {
    if (key === undefined) return this.collection(place, rest);
    return this.entity(place, await readOne(this.#session, place, key), rest);
  }

  collection(place: Place, rest: readonly Segment[]): Target {
    const [next] = rest;
    if (!next) return { kind: 'collection', place, isCount: false };
    if (next.name === '$count' && rest.length === 1) return { kind: 'collection', place, isCount: true };
    throw this.#unknown(next.name);
  }

  async entity(place: Place, row: Row, rest: readonly Segment[]): Promise<Target> {
    const [next, ...further] = rest;
    if (!next) return { kind: 'entity', place, row };
    const action = actionName(next.name);
    if (action !== undefined && further.length === 0) return { kind: 'action', place, row, action };
    const wanted = next.name.toLowerCase();
    const navigation = place.page.navigations.find((each) => each.name.toLowerCase() === wanted);
    if (navigation) return this.#along(place, row, navigation, next, further);
    const property = place.page.properties.find((each) => each.name.toLowerCase() === wanted);
    const isRaw = further[0]?.name === '$value' && property?.kind !== 'complex';
    if (!property || next.key !== undefined || further.length > (isRaw ? 1 : 0)) throw this.#unknown(next.name);
    return { kind: 'property', place, row, property, isRaw };
  }

  async #along(from: Place, row: Row, navigation: PageNavigation, segment: Segment, rest: readonly Segment[]) {
    const where = relatedBy(navigation, row);
    const address = `${from.address}(${row.id})/${navigation.name}`;
    const place = this.place(navigation.set, from.company, address, where, row);
    if (navigation.many) return this.#keyed(place, segment, rest);
    const related = await findOne(this.#session, place);
    if (related) return this.entity(place, related, rest);
    if (rest.length === 0) return { kind: 'nothing', place } as const;
    throw errors.Internal_RecordNotFound__Related({ entity: from.page.entity, navigation: navigation.name });
  }

  subscriptions({ key }: Segment, rest: readonly Segment[], company: Company | undefined): SubscriptionTarget {
    const isCount = key === undefined && rest.length === 1 && rest[0]?.name === '$count';
    if (rest.length > (isCount ? 1 : 0)) throw this.#unknown(rest[0]?.name ?? '');
    return { kind: 'subscriptions', isCount, ...(company && { company }), ...(key !== undefined && { key }) };
  }

  #unknown(name: string): Error {
    const hint = ` ('${name.slice(0, 100)}' does not exist)`;
    return errors.BadRequest_ResourceNotFound({ resource: this.#path.slice(0, 300), hint });
  }
}

/** Conditions that the related records of this record meet. */
export function relatedBy({ on }: PageNavigation, row: Row): Where {
  return Object.fromEntries(
    Object.entries(on).map(([theirs, own]) => [theirs, typeof own === 'string' ? row.get(own) : own.constant]),
  );
}
