import type { ResourceHead, ResourceType } from '../../../kernel/arm/index.ts';
import {
  CHANNEL_API_VERSIONS,
  EVENT_CHANNEL_API_VERSIONS,
  NAMESPACE,
  PARTNER_API_VERSIONS,
  PARTNER_CONFIGURATION_API_VERSIONS,
  PARTNER_DESTINATION_API_VERSIONS,
  PARTNER_REGISTRATION_API_VERSIONS,
} from '../versions.ts';

/** Resource types of partners and of their customers. */

/** Location of types that are in no region. */
const GLOBAL = ['global'];

export const REGISTRATION: ResourceHead = {
  type: `${NAMESPACE}/partnerRegistrations`,
  apiVersions: PARTNER_REGISTRATION_API_VERSIONS,
  locations: GLOBAL,
  tracked: true,
  operations: 'PartnerRegistrations',
};

export const PARTNER_NAMESPACE_TYPE = `${NAMESPACE}/partnerNamespaces` as const;

export const PARTNER_NAMESPACE: ResourceHead = {
  type: PARTNER_NAMESPACE_TYPE,
  apiVersions: PARTNER_API_VERSIONS,
  tracked: true,
  operations: 'PartnerNamespaces',
};

export const CONFIGURATION: ResourceHead = {
  type: `${NAMESPACE}/partnerConfigurations`,
  apiVersions: PARTNER_CONFIGURATION_API_VERSIONS,
  locations: GLOBAL,
  tracked: true,
  operations: 'PartnerConfigurations',
};

export const PARTNER_TOPIC: ResourceHead = {
  type: `${NAMESPACE}/partnerTopics`,
  apiVersions: PARTNER_API_VERSIONS,
  tracked: true,
  operations: 'PartnerTopics',
};

export const PARTNER_DESTINATION: ResourceHead = {
  type: `${NAMESPACE}/partnerDestinations`,
  apiVersions: PARTNER_DESTINATION_API_VERSIONS,
  tracked: true,
  operations: 'PartnerDestinations',
};

export const CHANNEL_TYPE = `${PARTNER_NAMESPACE_TYPE}/channels` as const;
export const EVENT_CHANNEL_TYPE = `${PARTNER_NAMESPACE_TYPE}/eventChannels` as const;
export const VERIFIED_PARTNER_TYPE = `${NAMESPACE}/verifiedPartners` as const;

const untracked = (type: string, apiVersions: readonly string[]): ResourceType => ({
  type,
  apiVersions,
  tracked: false,
});

export const PARTNER_TYPES: readonly ResourceType[] = [
  REGISTRATION,
  PARTNER_NAMESPACE,
  untracked(CHANNEL_TYPE, CHANNEL_API_VERSIONS),
  untracked(EVENT_CHANNEL_TYPE, EVENT_CHANNEL_API_VERSIONS),
  CONFIGURATION,
  PARTNER_TOPIC,
  PARTNER_DESTINATION,
  untracked(VERIFIED_PARTNER_TYPE, CHANNEL_API_VERSIONS),
];
