import { BlockList, isIP } from 'node:net';
import type { Resource } from '../../../kernel/arm/index.ts';
import type { InputSchema } from '../event.ts';
import type { PublishTarget } from '../topics/lookup.ts';
import { type CustomFields, customFieldsOf } from './custom-fields.ts';

/** Publishing settings of a topic or a domain, derived once per version of its resource. */
export interface Plan {
  readonly isDomain: boolean;
  /** For a partner namespace: how the channel of an event is chosen. Absent for topics and domains. */
  readonly routing?: 'SourceEventAttribute' | 'ChannelNameHeader';
  /** Id of the topic or domain; `key` is its key. */
  readonly id: string;
  readonly key: string;
  readonly resource: Resource;
  /** Scopes of events that are published to a topic. */
  readonly scopes: readonly string[];
  readonly schema: InputSchema;
  readonly custom: CustomFields;
  readonly isLocalAuthDisabled: boolean;
  readonly isPrivate: boolean;
  /** Absent: every address is allowed. */
  readonly addresses: BlockList | undefined;
}

const BY_HEADER = 'ChannelNameHeader';

const plans = new WeakMap<Resource, Plan>();

/** The WeakMap works because resources come from the store's cache, where each version is one object. */
export function planOf({ kind, key, resource }: PublishTarget): Plan {
  let plan = plans.get(resource);
  if (!plan) {
    const { properties, id } = resource;
    const isPartner = kind === 'partnerNamespace';
    plan = {
      isDomain: kind === 'domain',
      ...(isPartner && {
        routing: properties.partnerTopicRoutingMode === BY_HEADER ? BY_HEADER : ('SourceEventAttribute' as const),
      }),
      id,
      key,
      resource,
      scopes: [key],
      schema: isPartner
        ? 'CloudEventSchemaV1_0'
        : ((properties.inputSchema as InputSchema | undefined) ?? 'EventGridSchema'),
      custom: customFieldsOf(properties.inputSchemaMapping),
      isLocalAuthDisabled: properties.disableLocalAuth === true,
      isPrivate: (properties.publicNetworkAccess ?? 'Enabled') !== 'Enabled',
      addresses: addressesOf(properties.inboundIpRules),
    };
    plans.set(resource, plan);
  }
  return plan;
}

/** A rule is an address or a network; an unreadable rule allows nothing. */
function addressesOf(rules: unknown): BlockList | undefined {
  if (!Array.isArray(rules) || rules.length === 0) return undefined;
  const list = new BlockList();
  for (const { ipMask } of rules as { ipMask?: unknown }[]) {
    const [address = '', bits] = String(ipMask ?? '').split('/');
    const version = isIP(address);
    if (version === 0) continue;
    const family = version === 4 ? 'ipv4' : 'ipv6';
    const length = bits === undefined ? (version === 4 ? 32 : 128) : Number(bits);
    if (Number.isInteger(length) && length >= 0 && length <= (version === 4 ? 32 : 128)) {
      list.addSubnet(address, length, family);
    }
  }
  return list;
}
