import type { ResourceCapability, ResourceType } from '../../../kernel/arm/index.ts';

/**
 * Resource types that exist only as records: nothing runs behind them. The table is plain data, so that manifests can load it at every
 * start; the behaviour is in `definition.ts`.
 */
export interface ForeignType extends ResourceType {
  readonly namePattern: RegExp;
}

export const NAMES = {
  /** The pattern that nearly every provider uses. */
  usual: /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,78}[A-Za-z0-9_])?$/,
  dashed: /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/,
  storage: /^[a-z0-9]{3,24}$/,
  machine: /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9_])?$/,
  letters: /^[A-Za-z0-9]{5,50}$/,
  vault: /^[A-Za-z](?:[A-Za-z0-9-]{1,22}[A-Za-z0-9])$/,
  bus: /^[A-Za-z][A-Za-z0-9-]{4,48}[A-Za-z0-9]$/,
  container: /^(?:\$[a-z]{2,9}|[a-z0-9](?:[a-z0-9-]{1,61}[a-z0-9]))$/,
  /** Queues, topics and rules may contain slashes, which clients send as `~`. */
  entity: /^[$A-Za-z0-9_](?:[A-Za-z0-9._~-]{0,258}[A-Za-z0-9_])?$/,
  identity: /^[A-Za-z0-9][A-Za-z0-9_-]{2,127}$/,
  onlyDefault: /^default$/i,
} as const;

const TRACKED: readonly ResourceCapability[] = ['SupportsTags', 'SupportsLocation'];
const MOVES: readonly ResourceCapability[] = ['CrossResourceGroupResourceMove', 'CrossSubscriptionResourceMove'];
const IDENTITY: readonly ResourceCapability[] = ['SystemAssignedResourceIdentity'];

/**
 * Letters of the rows below: `m` can be moved, `i` has an identity, `g` is global, `s` cannot be moved, `c` is a child without location and
 * tags.
 */
type Kind = 'm' | 'mi' | 'mg' | 'mgi' | 's' | 'si' | 'sg' | 'c';

type Row = readonly [name: string, kind: Kind, names?: keyof typeof NAMES];

export interface ForeignProvider {
  readonly namespace: string;
  /** Newest first. */
  readonly apiVersions: readonly string[];
  readonly types: readonly Row[];
}

export function typesOf({ namespace, apiVersions, types }: ForeignProvider): ForeignType[] {
  return types.map(([name, kind, names = 'usual']) => {
    const tracked = kind !== 'c';
    const capabilities = [
      ...(kind.includes('m') ? MOVES : []),
      ...(kind.includes('i') ? IDENTITY : []),
      ...(tracked ? TRACKED : []),
    ];
    return {
      type: `${namespace}/${name}`,
      apiVersions,
      tracked,
      ...(kind.includes('g') && { locations: ['global'] }),
      capabilities,
      namePattern: NAMES[names],
    };
  });
}
