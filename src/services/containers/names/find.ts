import { type Resource, resources } from '../../../kernel/arm/index.ts';
import type { Store } from '../../../kernel/store/index.ts';
import { dnsNames, type GroupState, runtimes } from '../collections.ts';

/** A container group as found by its name. */
export interface NamedGroup {
  /** `shop.westus.containers.localhost` */
  readonly fqdn: string;
  readonly name: string;
  readonly state: GroupState;
  readonly isSimulated: boolean;
  /** Address at which its ports are published; undefined until the group has one. */
  readonly ip: string | undefined;
  readonly tcpPorts: readonly number[];
}

interface PublishedAddress {
  readonly ip?: string;
  readonly ports?: readonly { readonly port: number; readonly protocol?: string }[];
}

/** Finds the group that owns a name. Names compare case-insensitively. */
export async function groupNamed(store: Pick<Store, 'get'>, name: string): Promise<NamedGroup | undefined> {
  const fqdn = name.toLowerCase();
  const holder = await store.get(dnsNames, fqdn);
  if (!holder) return undefined;
  const key = holder.value.resourceId.toLowerCase();
  const [resource, runtime] = await Promise.all([store.get(resources, key), store.get(runtimes, key)]);
  if (!resource || !runtime) return undefined;
  const address = addressOf(resource.value);
  return {
    fqdn,
    name: resource.value.name,
    state: runtime.value.state,
    isSimulated: runtime.value.engine === 'simulated',
    ip: runtime.value.status.ip ?? address.ip,
    tcpPorts: (address.ports ?? []).filter(({ protocol }) => !/^udp$/i.test(protocol ?? '')).map(({ port }) => port),
  };
}

const addressOf = ({ properties }: Resource): PublishedAddress => (properties.ipAddress ?? {}) as PublishedAddress;
