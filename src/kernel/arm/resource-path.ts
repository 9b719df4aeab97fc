import { groupPath } from './ids.ts';

/** Where the resources of a type are, as templates and as ids. `Vendor.Network/virtualNetworks/subnets` lies in its parents. */
export interface TypePath {
  /** `Vendor.Network/virtualNetworks/{parent1}/subnets` */
  readonly collection: string;
  /** The parameters that name the parents, the outermost first. */
  readonly parents: readonly string[];
}

export function typePath(type: string): TypePath {
  const [namespace = '', ...names] = type.split('/');
  const parents = names.slice(0, -1).map((_name, at) => `parent${at + 1}`);
  const segments = names.flatMap((name, at) => (at < parents.length ? [name, `{${parents[at]}}`] : [name]));
  return { collection: [namespace, ...segments].join('/'), parents };
}

/** The id of a resource by the names in its path. */
export function idIn(
  type: string,
  subscriptionId: string,
  group: string,
  params: Readonly<Record<string, string>>,
): string {
  const collection = typePath(type).collection.replace(/\{(\w+)\}/g, (_all, name: string) => params[name] ?? '');
  return `${groupPath(subscriptionId, group)}/providers/${collection}/${params.resourceName}`;
}

/** The id, or the key, of the resource that a child lies in; undefined for one that lies in its group. */
export function parentId(id: string): string | undefined {
  const segments = id.split('/');
  const provider = segments.findLastIndex((segment) => segment.toLowerCase() === 'providers');
  // Namespace, type and name come behind `providers`.
  return segments.length - provider > 4 ? segments.slice(0, -2).join('/') : undefined;
}
