import { type Resource, resourceView } from '../../../kernel/arm/index.ts';
import type { EventsCall } from '../jar.ts';

/** A topic or a domain on the wire. */
export function publishingView(
  resource: Resource,
  prefix: string,
  _full: boolean,
  _companion: undefined,
  call: Pick<EventsCall, 'origin' | 'secure' | 'jar'>,
): Record<string, unknown> {
  const { provisioningState, ...rest } = resource.properties;
  return {
    ...resourceView(resource, prefix),
    properties: { provisioningState, endpoint: endpointOf(resource, call), ...rest },
  };
}

/** Where to publish: an address that the caller can reach, since it has the host by which they reached the jar, and HTTPS always. */
export function endpointOf(
  { name, location }: Resource,
  { origin, secure, jar }: Pick<EventsCall, 'origin' | 'secure' | 'jar'>,
): string {
  const base = secure ? origin : `https://${new URL(origin).hostname}:${jar.addresses.httpsPort}`;
  return `${base}/events/${location}/${name.toLowerCase()}/api/events`;
}
