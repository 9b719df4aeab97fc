/** A feature of a provider that a subscription can register for. */
export interface Feature {
  readonly namespace: string;
  readonly name: string;
  /** `ApprovalRequired`: a registration waits for the provider. `AutoApproval`: it is granted at once. */
  readonly approval: 'AutoApproval' | 'ApprovalRequired';
  readonly releaseDate: string;
}

const feature = (namespace: string, name: string, approval: Feature['approval'], releaseDate: string): Feature => ({
  namespace: `Vendor.${namespace}`,
  name,
  approval,
  releaseDate,
});

/** Features do not change the jar's behaviour: clients can register for them and read the state of a registration. */
export const FEATURES: readonly Feature[] = [
  feature('Resources', 'ARMDisableResourcesPerRGLimit', 'AutoApproval', '2021-01-01T00:00:00Z'),
  feature('ContainerInstance', 'StandbyContainerGroupPools', 'AutoApproval', '2024-05-01T00:00:00Z'),
  feature('ContainerInstance', 'ConfidentialContainers', 'ApprovalRequired', '2022-10-01T00:00:00Z'),
  feature('EventGrid', 'PartnerTopics', 'AutoApproval', '2021-10-15T00:00:00Z'),
  feature('DataShare', 'InPlaceSharing', 'ApprovalRequired', '2020-10-01T00:00:00Z'),
  feature('Storage', 'AllowNFSV3', 'AutoApproval', '2020-07-01T00:00:00Z'),
  feature('Network', 'AllowLBPreview', 'AutoApproval', '2016-08-17T21:39:18.0538346Z'),
  feature('Network', 'SkipPseudoVipGeneration', 'ApprovalRequired', '2016-08-17T21:39:18Z'),
  feature('Compute', 'EncryptionAtHost', 'AutoApproval', '2020-06-01T00:00:00Z'),
];
