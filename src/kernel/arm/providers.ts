/** What a type can do beyond the common operations, in the words of provider documents. */
export type ResourceCapability =
  | 'CrossResourceGroupResourceMove'
  | 'CrossSubscriptionResourceMove'
  | 'SystemAssignedResourceIdentity'
  | 'SupportsTags'
  | 'SupportsLocation'
  | 'SupportsExtension';

/** A resource type that a service offers. The gateway lists it, checks versions and regions by it, and deletes with it. */
export interface ResourceType {
  /** `Vendor.ContainerInstance/containerGroups` */
  readonly type: string;
  /** Newest first. */
  readonly apiVersions: readonly string[];
  /** Absent: every region. */
  readonly locations?: readonly string[];
  /** Whether the resource has a location and tags (a tracked resource). */
  readonly tracked: boolean;
  /** Absent: tags and a location where the type is tracked, and nothing else. A type without the move capabilities stays in its group. */
  readonly capabilities?: readonly ResourceCapability[];
}

export interface Provider {
  readonly namespace: string;
  readonly types: readonly (ResourceType & { readonly name: string })[];
}

/** The declared types, by namespace. */
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
