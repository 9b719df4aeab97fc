import { control, dataOf } from '../../shared/api/control.ts';
import { askService, type ServiceAnswer } from '../../shared/api/service.ts';
import { useData } from '../../shared/api/use-data.ts';
import { isMembers, type Property, propertiesOf, type Schema, type Schemas } from '../../shared/form/schema.ts';
import type { RowOf } from '../../shared/list/pages.ts';
import type { Signal } from '../../shared/live/signals.ts';

export type ResourceRow = RowOf<'/_jar/resources'>;
export type GroupRow = RowOf<'/_jar/resources/groups'>;
export type SubscriptionRow = RowOf<'/_jar/resources/subscriptions'>;
export type ManagementGroupRow = RowOf<'/_jar/resources/management-groups'>;
export type OperationRow = RowOf<'/_jar/resources/operations'>;

/** A document of the management API. */
export interface ArmDocument {
  readonly id?: string;
  readonly name?: string;
  readonly type?: string;
  readonly location?: string;
  readonly tags?: Readonly<Record<string, string>> | null;
  readonly properties?: Readonly<Record<string, unknown>> | null;
  readonly [member: string]: unknown;
}

/** What makes lists of resources out of date: writes, and due work that ends them. */
export const CHANGED: readonly Signal[] = ['changes', 'work', '/subscriptions', '/providers'];

/** What can be done at a path of the management API, from the OpenAPI document. */
export interface ArmType {
  /** The newest api-version that is no preview. */
  readonly apiVersion: string;
  readonly methods: readonly string[];
  /** What a PUT takes. */
  readonly properties: readonly Property[];
  readonly schemas: Schemas;
}

interface DocumentPart {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Schema>>>>;
  readonly components: { readonly schemas?: Schemas };
}

export async function armTypeAt(path: string, signal?: AbortSignal): Promise<ArmType> {
  const part = (await dataOf(
    control.GET('/_jar/openapi.json', { params: { query: { path } }, ...(signal && { signal }) }),
  )) as unknown as DocumentPart;
  const item = Object.values(part.paths)[0] ?? {};
  const schemas = part.components.schemas ?? {};
  return {
    apiVersion: newest(Object.values(item)[0]),
    methods: Object.keys(item),
    properties: bodyOf(item.put, schemas),
    schemas,
  };
}

function newest(operation: Schema | undefined): string {
  const parameters = Array.isArray(operation?.parameters) ? operation.parameters.filter(isMembers) : [];
  const { schema } = parameters.find(({ name }) => name === 'api-version') ?? {};
  const versions = isMembers(schema) && Array.isArray(schema.enum) ? schema.enum.map(String) : [];
  return versions.find((version) => !version.includes('preview')) ?? versions[0] ?? '2022-12-01';
}

function bodyOf(operation: Schema | undefined, schemas: Schemas): readonly Property[] {
  const { requestBody } = operation ?? {};
  const content = isMembers(requestBody) && isMembers(requestBody.content) ? requestBody.content : {};
  const json = content['application/json'];
  return isMembers(json) && isMembers(json.schema) ? propertiesOf(json.schema, schemas) : [];
}

/** The description of a path changes only with the jar. */
export const useArmType = (path: string | undefined) =>
  useData(['arm-type', path?.toLowerCase()], (signal) => armTypeAt(path ?? '', signal), {
    enabled: path !== undefined,
  });

interface ArmRequest {
  readonly method?: string;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

/** Calls the management API as somebody of the tenant that owns the path. */
export async function askArm<T = ArmDocument>(
  path: string,
  apiVersion: string,
  request: ArmRequest = {},
): Promise<ServiceAnswer<T>> {
  const account = await accountFor(path);
  return askService<T>(`${path.split('/').map(encodeURIComponent).join('/')}?api-version=${apiVersion}`, {
    ...request,
    ...(account !== undefined && { as: account }),
  });
}

/** The administrator's token is good for their own tenant only; in another, its first user acts. */
async function accountFor(path: string): Promise<string | undefined> {
  const [, first, subscriptionId = ''] = path.split('/');
  if (first !== 'subscriptions') return undefined;
  const { value: subscriptions } = await dataOf(
    control.GET('/_jar/resources/subscriptions', {
      params: { query: { $filter: `subscriptionId eq '${subscriptionId.replaceAll("'", "''")}'` } },
    }),
  );
  const tenantId = subscriptions[0]?.tenantId;
  if (tenantId === undefined) return undefined;
  const { value: users } = await dataOf(
    control.GET('/_jar/users', { params: { query: { $filter: `tenantId eq '${tenantId}'` } } }),
  );
  return users.some(({ alias }) => alias === 'admin') ? undefined : users[0]?.alias;
}

/** The parts of a resource id. */
export function partsOf(id: string) {
  const segments = id.split('/').filter(Boolean);
  const at = segments.findLastIndex((segment) => segment.toLowerCase() === 'providers');
  const types = at < 0 ? [] : segments.slice(at + 2).filter((_, index) => index % 2 === 0);
  const isSubscription = segments[0]?.toLowerCase() === 'subscriptions';
  const groupAt = isSubscription && segments[2]?.toLowerCase() === 'resourcegroups' ? 3 : -1;
  return {
    name: segments.at(-1) ?? id,
    type:
      at >= 0
        ? [segments[at + 1], ...types].join('/')
        : groupAt > 0
          ? 'Vendor.Resources/resourceGroups'
          : 'Vendor.Resources/subscriptions',
    subscription: isSubscription ? `/subscriptions/${segments[1]}` : undefined,
    group: groupAt > 0 && segments[3] !== undefined ? `/${segments.slice(0, 4).join('/')}` : undefined,
    segments,
  };
}

/** A person reads `topics`; the namespace is for where it matters. */
export const shortType = (type: string): string => type.slice(type.indexOf('/') + 1);
