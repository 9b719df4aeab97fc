import { type Resource, resourceView } from '../../../kernel/arm/index.ts';
import type { Json } from '../../../kernel/store/index.ts';
import { isObject } from '../../../kernel/values/index.ts';
import { pathsOf, shownSystemData, withoutFilled } from '../answers.ts';
import type { EventsCall } from '../jar.ts';

/** Of the answer to a PUT: the properties that were sent. */
export interface Answered {
  readonly sent: unknown;
}

type Shown = Pick<EventsCall, 'origin' | 'secure' | 'jar' | 'facts'>;

/** What a topic or a domain has without having been told. */
const FILLED = pathsOf(
  'inputSchema',
  'inputSchemaMapping',
  'publicNetworkAccess',
  'disableLocalAuth',
  'dataResidencyBoundary',
  'autoCreateTopicWithFirstSubscription',
  'autoDeleteTopicWithLastSubscription',
);

/** A topic or a domain on the wire. */
export function publishingView(
  resource: Resource,
  prefix: string,
  _full: boolean,
  answered: Answered | undefined,
  call: Shown,
): Record<string, unknown> {
  const { provisioningState, metricResourceId, ...rest } = resource.properties;
  const common = commonView(resource, prefix, answered, call);
  if (!answered) {
    const endpoint = endpointOf(resource, call);
    return { ...common, properties: { provisioningState, endpoint, ...rest, metricResourceId } };
  }
  const properties = withoutFilled(rest, answered.sent, FILLED);
  return { ...common, properties: { provisioningState, endpoint: null, ...properties } };
}

/** A tracked resource of this provider, without its properties: null where there is nothing to show. */
export function commonView(
  resource: Resource,
  prefix: string,
  answered: Answered | undefined,
  call: Shown,
): Record<string, unknown> {
  const { identity, systemData, ...extra } = resource.extra;
  return {
    ...resourceView({ ...resource, extra }, prefix),
    tags: isEmpty(resource.tags) ? null : resource.tags,
    ...(identity !== undefined && { identity: identityView(identity) }),
    systemData: shownSystemData(call, systemData, answered !== undefined),
  };
}

const isEmpty = (tags: Resource['tags']): boolean => Object.keys(tags ?? {}).length === 0;

const NO_IDENTITY = { type: 'None', principalId: null, tenantId: null, userAssignedIdentities: null };

const identityView = (identity: Json): Record<string, unknown> => ({
  ...NO_IDENTITY,
  ...(isObject(identity) && identity),
});

/** Where to publish: an address that the caller can reach, since it has the host by which they reached the jar, and HTTPS always. */
export function endpointOf({ name, location }: Resource, { origin, secure, jar }: Shown): string {
  const base = secure ? origin : `https://${new URL(origin).hostname}:${jar.addresses.httpsPort}`;
  return `${base}/events/${location}/${name.toLowerCase()}/api/events`;
}
