/** Capabilities of a type beyond the common operations, named as in provider documents. */
export type ResourceCapability =
  | 'CrossResourceGroupResourceMove'
  | 'CrossSubscriptionResourceMove'
  | 'SystemAssignedResourceIdentity'
  | 'SupportsTags'
  | 'SupportsLocation'
  | 'SupportsExtension';

/** A resource type that a service offers. The gateway uses it to list types, to check versions and regions, and to delete resources. */
export interface ResourceType {
  /** `Vendor.ContainerInstance/containerGroups` */
  readonly type: string;
  /** Newest first. */
  readonly apiVersions: readonly string[];
  /** Whether resources can be placed in an availability zone of a region that has zones. */
  readonly zonal?: boolean;
  /** The api-version of the type in each profile. */
  readonly apiProfiles?: readonly { readonly profileVersion: string; readonly apiVersion: string }[];
  /** Absent: every region. Empty: the type has no regions. */
  readonly locations?: readonly string[];
  /** Whether resources have a location and tags (tracked resources). */
  readonly tracked: boolean;
  /** Absent: tags and a location if the type is tracked. Resources of a type without the move capabilities cannot be moved. */
  readonly capabilities?: readonly ResourceCapability[];
}

export interface Provider {
  readonly namespace: string;
  readonly types: readonly (ResourceType & { readonly name: string })[];
}

/** Namespaces, in lower case, that every subscription may use; they cannot be registered or unregistered. */
export const REGISTRATION_FREE: ReadonlySet<string> = new Set([
  'vendor.authorization',
  'vendor.billing',
  'vendor.features',
  'vendor.resources',
]);

export function groupByNamespace(types: readonly ResourceType[]): Provider[] {
  const namespaces = new Map<string, (ResourceType & { name: string })[]>();
  for (const type of types) {
    const slash = type.type.indexOf('/');
    const namespace = type.type.slice(0, slash);
    const list = namespaces.get(namespace) ?? [];
    list.push({ ...type, name: type.type.slice(slash + 1) });
    namespaces.set(namespace, list);
  }
  return [...namespaces].map(([namespace, list]) => ({ namespace, types: list }));
}
