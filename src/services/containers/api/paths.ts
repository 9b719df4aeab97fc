import {
  CONTAINER_GROUP_PROFILE_TYPE,
  NAMESPACE,
  STANDBY_POOL_TYPE,
  CONTAINER_GROUP_TYPE as TYPE,
} from './versions.ts';

const SUBSCRIPTION = '/subscriptions/{subscriptionId}';
const IN_GROUP = `${SUBSCRIPTION}/resourceGroups/{resourceGroupName}/providers` as const;

export const GROUP_PATH = `${IN_GROUP}/${TYPE}/{containerGroupName}` as const;
export const PROFILE_PATH = `${IN_GROUP}/${CONTAINER_GROUP_PROFILE_TYPE}/{containerGroupProfileName}` as const;
export const POOL_PATH = `${IN_GROUP}/${STANDBY_POOL_TYPE}/{standbyContainerGroupPoolName}` as const;
export const CONTAINER_PATH = `${GROUP_PATH}/containers/{containerName}` as const;
export const LOCATION_PATH = `${SUBSCRIPTION}/providers/${NAMESPACE}/locations/{location}` as const;
export const SUBNET_PATH =
  `${IN_GROUP}/Vendor.Network/virtualNetworks/{virtualNetworkName}/subnets/{subnetName}` as const;
