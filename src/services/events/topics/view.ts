import type { Resource } from '../../../kernel/arm/index.ts';
import { pathsOf, shownSystemData, trackedView, withoutDefaults } from '../answers.ts';
import type { EventsCall } from '../jar.ts';

/** For the answer to a PUT: the properties that were sent. */
export interface Answered {
  readonly sent: unknown;
}

type Shown = Pick<EventsCall, 'origin' | 'secure' | 'jar' | 'facts'>;

/** Members that have defaults. */
const DEFAULTED = pathsOf(
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
    ? { provisioningState, endpoint: null, ...withoutDefaults({ ...schema, ...rest }, answered.sent, DEFAULTED) }
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

/** The publishing address: always HTTPS, with the host by which the caller reached the jar, so that the caller can reach it. */
export function endpointOf({ name, location }: Resource, { origin, secure, jar }: Shown): string {
  const base = secure ? origin : `https://${new URL(origin).hostname}:${jar.addresses.httpsPort}`;
  return `${base}/events/${location}/${name.toLowerCase()}/api/events`;
}
