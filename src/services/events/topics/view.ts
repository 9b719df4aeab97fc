import type { Resource } from '../../../kernel/arm/index.ts';
import { pathsOf, shownSystemData, trackedView, withoutFilled } from '../answers.ts';
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
  const { provisioningState, metricResourceId, inputSchema, inputSchemaMapping, ...rest } = resource.properties;
  const schema = { inputSchema, ...(inputSchemaMapping !== undefined && { inputSchemaMapping }) };
  const properties = answered
    ? { provisioningState, endpoint: null, ...withoutFilled({ ...schema, ...rest }, answered.sent, FILLED) }
    : { provisioningState, endpoint: endpointOf(resource, call), ...schema, metricResourceId, ...rest };
  return commonView(resource, prefix, { properties, answered, call });
}

interface Common {
  readonly properties: Readonly<Record<string, unknown>>;
  readonly answered: Answered | undefined;
  readonly call: Shown;
}

/** A tracked resource of this provider. */
export function commonView(
  resource: Resource,
  prefix: string,
  { properties, answered, call }: Common,
): Record<string, unknown> {
  const isPut = answered !== undefined;
  const systemData = shownSystemData(call, resource.extra.systemData, isPut);
  return trackedView(resource, prefix, { properties, systemData, isPut });
}

/** Where to publish: an address that the caller can reach, since it has the host by which they reached the jar, and HTTPS always. */
export function endpointOf({ name, location }: Resource, { origin, secure, jar }: Shown): string {
  const base = secure ? origin : `https://${new URL(origin).hostname}:${jar.addresses.httpsPort}`;
  return `${base}/events/${location}/${name.toLowerCase()}/api/events`;
}
