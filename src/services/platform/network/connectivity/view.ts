import { createHash } from 'node:crypto';
import { type JsonMembers, omitAbsent } from '../../../../kernel/values/index.ts';
import type { EndpointRule, NetworkConfiguration } from './collections.ts';

/** Configurations and rules on the wire. */

/** `us-east-1`, as opposed to `eastus`. */
const isAws = (region: string): boolean => /^[a-z]{2}-[a-z]+-\d{1,2}$/.test(region);

/** Whether the endpoint is in the other cloud, where it names a service rather than a resource. */
export const isOfAws = ({ target }: Pick<EndpointRule, 'target'>): boolean => target.endpoint_service !== undefined;

export function endpointView(rule: EndpointRule): JsonMembers {
  const { id, accountId, configurationId, target, state, createdAt, updatedAt, deactivatedAt, problem } = rule;
  const short = createHash('sha256').update(id).digest('hex');
  return omitAbsent({
    rule_id: id,
    account_id: accountId,
    network_connectivity_config_id: configurationId,
    ...target,
    ...(isOfAws(rule)
      ? { vpc_endpoint_id: state === 'CREATING' ? undefined : `vpce-${short.slice(0, 17)}` }
      : { endpoint_name: `databricks-${id}-pe-${short.slice(0, 8)}` }),
    connection_state: state,
    creation_time: createdAt,
    updated_time: updatedAt,
    deactivated: deactivatedAt !== undefined,
    deactivated_at: deactivatedAt,
    error_message: problem,
  });
}

/** Source addresses of serverless traffic without a specific rule: the same for all configurations of a region. */
function defaultRules(region: string): JsonMembers {
  if (isAws(region)) return { aws_stable_ip_rule: { cidr_blocks: ['203.0.113.0/28', '203.0.113.16/28'] } };
  const subnet = (number: number): string =>
    `/subscriptions/00000000-0000-4000-8000-000000000001/resourceGroups/serverless-${region}/providers/Vendor.Network/virtualNetworks/serverless-vnet/subnets/worker-subnet-${number}`;
  return {
    azure_service_endpoint_rule: {
      subnets: [subnet(1), subnet(2)],
      target_region: region,
      target_services: ['AZURE_BLOB_STORAGE'],
    },
  };
}

export function configurationView(configuration: NetworkConfiguration, rules: readonly EndpointRule[]): JsonMembers {
  const { id, accountId, name, region, createdAt, updatedAt } = configuration;
  const [aws, azure] = [true, false].map((wanted) => rules.filter((rule) => isOfAws(rule) === wanted));
  return {
    network_connectivity_config_id: id,
    account_id: accountId,
    name,
    region,
    creation_time: createdAt,
    updated_time: updatedAt,
    egress_config: {
      default_rules: defaultRules(region),
      target_rules: {
        ...(aws && aws.length > 0 && { aws_private_endpoint_rules: aws.map(endpointView) }),
        ...(azure && azure.length > 0 && { azure_private_endpoint_rules: azure.map(endpointView) }),
      },
    },
  };
}
