import { groupPath } from './ids.ts';

/** Path of a type's resources, as template and id. `Vendor.Network/virtualNetworks/subnets` is below its parents. */
export interface TypePath {
  /** `Vendor.Network/virtualNetworks/{parent1}/subnets` */
  readonly collection: string;
  /** Parameters that name the parents, outermost first. */
  readonly parents: readonly string[];
}

export function typePath(type: string): TypePath {
  const [namespace = '', ...names] = type.split('/');
  const parents = names.slice(0, -1).map((_name, at) => `parent${at + 1}`);
  const segments = names.flatMap((name, at) => (at < parents.length ? [name, `{${parents[at]}}`] : [name]));
  return { collection: [namespace, ...segments].join('/'), parents };
}

/** The id of a resource from the names in its path. */
export function idIn(
  type: string,
  subscriptionId: string,
  group: string,
  params: Readonly<Record<string, string>>,
): string {
  const collection = typePath(type).collection.replace(/\{(\w+)\}/g, (_all, name: string) => params[name] ?? '');
  return `${groupPath(subscriptionId, group)}/providers/${collection}/${params.resourceName}`;
}

/** The id or key of a child's parent resource; undefined for a resource directly in its group. */
export function parentId(id: string): string | undefined {
  const segments = id.split('/');
  const provider = segments.findLastIndex((segment) => segment.toLowerCase() === 'providers');
  // Namespace, type and name follow `providers`.
  return segments.length - provider > 4 ? segments.slice(0, -2).join('/') : undefined;
}
