import {
  type ArmCall,
  type ArmFacts,
  canonicalId,
  canonicalNamespace,
  GATEWAY_FAILURE,
  gatewayErrors,
  groupPath,
  MOST_SCOPE_SEGMENTS,
  resources,
  type Subscription,
  subscriptionPath,
  unknownNamespace,
  wholeId,
} from '../../kernel/arm/index.ts';
import type { Reader } from '../../kernel/store/index.ts';
import { gatewayApiErrors } from './errors.ts';

/** The parsed scope in front of `/providers/…`: the target of tags and locks. */
export interface Place {
  readonly kind: 'subscription' | 'group' | 'resource';
  /** Key in the store. */
  readonly key: string;
  /** As written by the caller, with the canonical provider prefix. */
  readonly id: string;
  /** The type of a resource: as declared, or as written if no service declares it. */
  readonly type: string;
  /** True for a child that its service stores itself and that has no tags. */
  readonly isChild: boolean;
}

type ScopeCall = Pick<ArmCall, 'jar'> & { readonly params: { readonly scope: string } };

/** Parses the scope of a call. Throws if it is not a scope, or if it is a resource of an unknown type or a missing resource. */
export async function placeOf(call: ScopeCall, arm: ArmFacts, reader: Pick<Reader, 'get'>): Promise<Place> {
  const scope = wholeId(call.params.scope);
  const id = canonicalId(scope, call.jar.config.namespace);
  const key = id.toLowerCase();
  const segments = id.split('/').slice(1);
  const [, , word = '', group] = segments;
  const place = { key, id, type: '', isChild: false };
  if (!arm.subscription || segments.length > MOST_SCOPE_SEGMENTS) throw gatewayApiErrors.InvalidScope({ scope });
  if (segments.length === 2) return { ...place, kind: 'subscription' };
  const inGroup = word.toLowerCase() === 'resourcegroups' && group !== undefined;
  if (inGroup && segments.length === 4) return { ...place, kind: 'group' };
  const at = segments.findLastIndex((segment) => segment.toLowerCase() === 'providers');
  const [namespace, ...rest] = segments.slice(at + 1);
  if (at < 2 || namespace === undefined || rest.length === 0 || rest.length % 2 === 1)
    throw gatewayApiErrors.InvalidScope({ scope });
  const stored = (await reader.get(resources, key, 'none'))?.value;
  if (stored) return { ...place, kind: 'resource', type: stored.type, isChild: false };
  const type = declaredType(call, namespace, rest);
  if (type.isTop && type.tracked) throw notFound(type.name, rest, group);
  // Services store children in their own collections, so only the existence of the tracked parent can be checked.
  await requireParent(call, reader, segments, at, group);
  return { ...place, kind: 'resource', type: `${namespace}/${type.name}`, isChild: true };
}

interface DeclaredType {
  readonly name: string;
  readonly tracked: boolean;
  readonly isTop: boolean;
}

function declaredType({ jar }: ScopeCall, namespace: string, rest: readonly string[]): DeclaredType {
  const wanted = canonicalNamespace(namespace, jar.config.namespace).toLowerCase();
  const provider = jar.providers.find((each) => each.namespace.toLowerCase() === wanted);
  if (!provider) throw unknownNamespace(jar, namespace);
  const path = rest.filter((_, at) => at % 2 === 0).join('/');
  const type = provider.types.find(({ name }) => name.toLowerCase() === path.toLowerCase());
  if (type) return { ...type, isTop: rest.length === 2 };
  const versions = `; this jar has ${provider.types.map(({ name }) => name).join(', ')}`;
  throw gatewayErrors.InvalidResourceType({ type: path, namespace, versions, hint: '' });
}

/** Throws if the tracked resource that a child belongs to, as a child or as an extension, does not exist. */
async function requireParent(
  call: ScopeCall,
  reader: Pick<Reader, 'get'>,
  segments: readonly string[],
  at: number,
  group: string | undefined,
): Promise<void> {
  const first = segments.findIndex((segment) => segment.toLowerCase() === 'providers');
  const [namespace, ...rest] = segments.slice(first + 1, first + 4);
  if (namespace === undefined || (first === at && segments.length <= first + 4)) return;
  const { name, tracked } = declaredType(call, namespace, rest);
  const parent = `/${segments.slice(0, first + 4).join('/')}`.toLowerCase();
  if (tracked && !(await reader.get(resources, parent, 'none'))) throw notFound(name, rest, group);
}

const notFound = (type: string, rest: readonly string[], group = ''): Error =>
  gatewayErrors.ResourceNotFound(
    { type, name: rest.filter((_, index) => index % 2 === 1).join('/'), group },
    { headers: GATEWAY_FAILURE },
  );

/** The stored id of a subscription or a group. */
export function storedId({ kind, id }: Place, arm: ArmFacts): string {
  const { subscriptionId } = arm.subscription as Subscription;
  if (kind === 'subscription') return subscriptionPath(subscriptionId);
  return kind === 'group' ? groupPath(subscriptionId, arm.group?.name ?? '') : id;
}
