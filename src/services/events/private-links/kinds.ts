import type { ResourceHead, ResourceType } from '../../../kernel/arm/index.ts';
import { PARTNER_NAMESPACE } from '../partners/kinds.ts';
import { DOMAIN, TOPIC } from '../topics/kinds.ts';
import { PARTNER_LINK_API_VERSIONS, PRIVATE_LINK_API_VERSIONS } from '../versions.ts';

/** Resource types that private endpoints can lead to. */
export interface LinkedKind {
  readonly head: ResourceHead;
  readonly group: 'topic' | 'domain' | 'partnernamespace';
  readonly displayName: string;
  /** Suffix of operation names, for example `Topics`. */
  readonly operations: string;
  readonly apiVersions: readonly string[];
}

export const LINKED_KINDS: readonly LinkedKind[] = [
  {
    head: TOPIC,
    group: 'topic',
    displayName: 'Event Grid topic',
    operations: 'Topics',
    apiVersions: PRIVATE_LINK_API_VERSIONS,
  },
  {
    head: DOMAIN,
    group: 'domain',
    displayName: 'Event Grid domain',
    operations: 'Domains',
    apiVersions: PRIVATE_LINK_API_VERSIONS,
  },
  {
    head: PARTNER_NAMESPACE,
    group: 'partnernamespace',
    displayName: 'Event Grid partner namespace',
    operations: 'PartnerNamespaces',
    apiVersions: PARTNER_LINK_API_VERSIONS,
  },
];

export const PRIVATE_LINK_TYPES: readonly ResourceType[] = LINKED_KINDS.flatMap(({ head, apiVersions }) =>
  ['privateEndpointConnections', 'privateLinkResources'].map((name) => ({
    type: `${head.type}/${name}`,
    apiVersions,
    tracked: false,
  })),
);
