import { isGuid } from '../../../kernel/odata/index.ts';
import { addressClassOf, isLocalhostName } from '../../../kernel/outbound/index.ts';
import { parsePath, type Segment } from '../api/path.ts';
import type { Session } from '../api/session.ts';
import { errors } from '../errors.ts';
import { STANDARD_APIS } from '../model/model.ts';
import type { Api, Model, Page } from '../model/types.ts';
import { companyById } from '../records/companies.ts';
import type { Company } from '../records/company.ts';
import { fieldOf } from '../records/row.ts';
import type { SubscriptionTarget } from './collection.ts';
import { whyNotNotifiable } from './notifiable.ts';

export interface ResolvedResource {
  /** As it was written. */
  readonly resource: string;
  readonly target: SubscriptionTarget;
}

type Resolving = Pick<Session, 'jar' | 'model' | 'api' | 'reader' | 'tenantId' | 'base'>;

const LONGEST = 2048;
/**
 * Version segment before the name of an environment in addresses of the cloud: `v2.0/{environment}/api`, `v2.0/{tenant}/{environment}/api`.
 */
const SERVICE_VERSION = 'v2.0';
const EXAMPLE = 'such as /api/v2.0/companies({id})/customers';

/**
 * Resolves a `resource` to the records of one page in one company. Throws if the resource cannot be subscribed to, or if the request is
 * below another company, which would not list the subscription.
 */
export async function resolveResource(session: Resolving, written: string, below?: Company): Promise<ResolvedResource> {
  const resource = written.trim().replace(/\/+$/, '');
  if (resource === '') throw refused(written, `it has to be the path of a collection ${EXAMPLE}`);
  if (resource.length > LONGEST) throw refused(written, `it has more than ${LONGEST} characters`);
  if (/[?#]/.test(resource)) throw refused(written, 'it has a query; subscribe to the whole collection');
  const { api, steps } = apiOf(session, resource);
  const company = await companyOf(session, resource, steps[0]);
  if (below && below.key !== company.key)
    throw refused(resource, `it is of another company than the request, which is below '${below.name}'`);
  const page = pageOf(session.model, api, resource, steps.slice(1));
  const why = whyNotNotifiable(session.model, api, page);
  if (why !== undefined) {
    throw errors.Application_DialogException(
      { reason: `There are no notifications for '${api.route}/${page.set}': ${why}.` },
      { target: 'resource' },
    );
  }
  const { id: companyId, key: companyKey, name: companyName } = company;
  const { route } = api;
  const { set, entity, table } = page;
  const where = { companyId, companyKey, companyName };
  return { resource, target: { route, set, entity, table, ...where, ...keyOf(session.model, page) } };
}

/** The named API, by default that of the request, and the path segments below it. */
function apiOf(session: Resolving, resource: string): { api: Api; steps: readonly Segment[] } {
  const segments = segmentsOf(resource, withoutOrigin(session, resource));
  const named = segments.slice(beforeRoute(segments));
  const company = named.findIndex(({ name }) => name.toLowerCase() === 'companies');
  if (company < 0) throw refused(resource, `it names no company; give the path of a collection ${EXAMPLE}`);
  const steps = named.slice(company);
  if (company === 0 && named.length === segments.length) return { api: session.api, steps };
  const route = named
    .slice(0, company)
    .map(({ name }) => name)
    .join('/');
  const api = session.model.api(route);
  if (!api) throw refused(resource, `there is no API '${route.slice(0, 100)}'`);
  refuseElsewhere(session, api, resource);
  return { api, steps };
}

/** Sets of a custom API must be subscribed to at the API's own `subscriptions`. */
function refuseElsewhere({ api: asked }: Resolving, api: Api, resource: string): void {
  if (api === asked || STANDARD_APIS.includes(api)) return;
  throw refused(resource, `it is of another API; send this to /api/${api.route}/subscriptions`);
}

/** Number of segments before the route: `api`, or the environment and `api`. */
function beforeRoute(segments: readonly Segment[]): number {
  const names = segments.map(({ name }) => name.toLowerCase());
  if (names[0] === 'api') return 1;
  if (names[0] !== SERVICE_VERSION) return 0;
  const api = [2, 3].find((place) => names[place] === 'api');
  return api === undefined ? 0 : api + 1;
}

function segmentsOf(resource: string, path: string): Segment[] {
  try {
    return parsePath(path);
  } catch {
    throw refused(resource, 'it cannot be read as a path');
  }
}

function withoutOrigin(session: Resolving, resource: string): string {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(resource)) return resource;
  const url = URL.parse(resource);
  if (!url || !isOwn(session, url)) throw refused(resource, 'it is an address of another service');
  return url.pathname;
}

/** A client may write another name of the jar than the one it uses. */
function isOwn({ jar, base }: Resolving, url: URL): boolean {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return false;
  const own = new URL(base);
  if (url.host === own.host) return true;
  const isHere = (host: string): boolean =>
    isLocalhostName(host) || addressClassOf(host.replace(/^\[|\]$/g, '')) === 'loopback';
  const { httpPort, httpsPort } = jar.addresses;
  return (url.hostname === own.hostname || isHere(url.hostname)) && [httpPort, httpsPort].includes(Number(url.port));
}

async function companyOf({ reader, model, tenantId }: Resolving, resource: string, step: Segment | undefined) {
  const key = step?.key;
  if (key === undefined)
    throw refused(
      resource,
      'there are no notifications for companies themselves; name one company and a collection of it',
    );
  const company = isGuid(key) ? await companyById(reader, model, tenantId, key) : undefined;
  if (!company) throw refused(resource, `there is no company '${key.slice(0, 100)}'`);
  return company;
}

function pageOf(model: Model, api: Api, resource: string, [first, ...rest]: readonly Segment[]): Page {
  if (!first)
    throw refused(resource, 'there are no notifications for companies themselves; name a collection of the company');
  const page = model.page(api, first.name);
  if (!page) throw refused(resource, `the API '${api.route}' has no '${first.name.slice(0, 100)}'`);
  if (first.key !== undefined && rest.length === 0)
    throw refused(resource, `it is one record; subscribe to the collection '${page.set}'`);
  if (rest.length > 0)
    throw refused(resource, `it is a navigation of '${page.set}'; subscribe to a collection of the company`);
  return page;
}

type Key = Pick<SubscriptionTarget, 'keyProperty' | 'keyKind' | 'showsLastModified'>;

/** Key and time properties of the page, for notifications. */
function keyOf(model: Model, { table, properties }: Page): Key {
  const [key] = properties;
  if (!key || key.kind === 'complex') throw new Error(`the page over '${table}' has no key`);
  const type = key.kind === 'computed' ? key.type : fieldOf(model.table(table), key.field).type;
  const keyKind =
    type === 'guid' ? 'guid' : type === 'int32' || type === 'int64' || type === 'decimal' ? 'number' : 'string';
  const showsLastModified = properties.some(({ name }) => name === 'lastModifiedDateTime');
  return { keyProperty: key.name, keyKind, showsLastModified };
}

const SHOWN = 300;

const refused = (resource: string, reason: string): Error =>
  errors.BadRequest__Value(
    { property: 'resource', value: `'${resource.slice(0, SHOWN)}'`, reason },
    { target: 'resource' },
  );
