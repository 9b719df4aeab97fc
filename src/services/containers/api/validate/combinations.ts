import type { ApiError } from '../../../../kernel/http/index.ts';
import { containerErrors } from '../../errors.ts';
import { totalOf } from '../amounts.ts';
import type { GroupBody } from '../schema.ts';

interface Combination {
  readonly refused: (group: Kind) => boolean;
  readonly error: (group: Kind) => ApiError;
}

/** The properties that decide which combinations are allowed. */
interface Kind {
  readonly sku: string;
  readonly spot: boolean;
  readonly windows: boolean;
  readonly gpu: boolean;
  readonly containers: number;
  readonly address: boolean;
  readonly zones: boolean;
}

const confidential = (what: string, target: string) => (): ApiError =>
  containerErrors.ConfidentialContainerGroupSkuIsNotSupported({ what }, { target });

/** Combinations that are rejected. */
const REFUSED: readonly Combination[] = [
  {
    refused: ({ windows, containers }) => windows && containers > 1,
    error: () => containerErrors.MultipleContainersNotSupportedOnWindows({}, { target: 'properties.containers' }),
  },
  {
    refused: ({ spot, sku }) => spot && sku !== 'Standard' && sku !== 'NotSpecified',
    error: ({ sku }) =>
      containerErrors.SpotPriorityContainerGroupNotSupportedInSku({ sku }, { target: 'properties.sku' }),
  },
  {
    refused: ({ spot, address }) => spot && address,
    error: () =>
      containerErrors.SpotPriorityContainerGroupNotSupportedForInboundConnectivity(
        {},
        { target: 'properties.ipAddress' },
      ),
  },
  {
    refused: ({ spot, gpu }) => spot && gpu,
    error: () =>
      containerErrors.SpotPriorityContainerGroupWithGPUResourcesNotSupported({}, { target: 'properties.priority' }),
  },
  {
    refused: ({ sku, gpu }) => sku === 'Confidential' && gpu,
    error: confidential('GPUs', 'properties.containers'),
  },
  {
    refused: ({ sku, windows }) => sku === 'Confidential' && windows,
    error: confidential('Windows', 'properties.osType'),
  },
  {
    refused: ({ sku, zones }) => sku === 'Confidential' && zones,
    error: confidential('zones', 'zones'),
  },
];

export function wrongCombinations(body: GroupBody): ApiError[] {
  const { sku = 'Standard', priority, osType, containers = [], initContainers = [], ipAddress } = body.properties ?? {};
  const kind: Kind = {
    sku,
    spot: priority === 'Spot',
    windows: osType === 'Windows',
    gpu: totalOf({ containers }).gpu !== undefined,
    containers: containers.length + initContainers.length,
    address: ipAddress !== undefined,
    zones: (body.zones ?? []).length > 0,
  };
  return REFUSED.flatMap(({ refused, error }) => (refused(kind) ? [error(kind)] : []));
}
