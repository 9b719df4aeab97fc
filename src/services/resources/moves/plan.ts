import {
  gatewayErrors,
  groupPath,
  parentId,
  type Resource,
  type ResourceCapability,
  type ResourceGroup,
  type ResourceMove,
  readOnlyScopes,
  resourceKey,
  resources,
  type Subscription,
} from '../../../kernel/arm/index.ts';
import { ApiError, type ErrorDetail } from '../../../kernel/http/index.ts';
import type { Jar } from '../../../kernel/service/index.ts';
import { pagesOf, type Reader } from '../../../kernel/store/index.ts';
import { moveErrors } from './errors.ts';

/** Children per page. */
const PAGE = 500;

export interface MoveRequest {
  readonly source: ResourceGroup;
  readonly sourceSubscription: Subscription;
  readonly target: ResourceGroup;
  readonly targetSubscription: Subscription;
  readonly resources: readonly string[];
}

export interface MovePlan {
  /** Sorted: parents before their children. Meaningless if there are problems. */
  readonly moves: readonly ResourceMove[];
  /** One per resource that cannot be moved. */
  readonly problems: readonly ErrorDetail[];
}

/** Computes the moves and the problems that prevent them. */
export async function planMove(
  reader: Reader,
  jar: Pick<Jar, 'providers' | 'config'>,
  request: MoveRequest,
): Promise<MovePlan> {
  const moves: ResourceMove[] = [];
  const problems: ErrorDetail[] = [];
  const ids = new Map(request.resources.map((id) => [normalKey(id, jar), id]));
  for (const [key, id] of ids) {
    try {
      const from = await movable(reader, jar, request, key, id);
      moves.push(moved(from, request.target));
      for await (const page of pagesOf(reader, resources, { prefix: `${key}/`, page: PAGE }))
        for (const { value } of page) moves.push(moved(value, request.target));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      problems.push({ code: error.code, message: error.message, target: id.slice(0, 1000) });
    }
  }
  return { moves, problems };
}

/** Returns the resource if it can be moved; throws otherwise. */
async function movable(
  reader: Reader,
  jar: Pick<Jar, 'providers'>,
  { source, sourceSubscription, target, targetSubscription }: MoveRequest,
  key: string,
  id: string,
): Promise<Resource> {
  if (!key.startsWith(`${keyOf(source)}/providers/`))
    throw moveErrors.ResourcesNotInSourceGroup({ id: shortened(id), group: source.name });
  const resource = (await reader.get(resources, key))?.value;
  if (!resource) throw moveErrors.ResourceToMoveNotFound({ id: shortened(id) });
  const parent = parentId(resource.id);
  if (parent !== undefined) throw moveErrors.ResourceMoveChildNotSupported({ id: resource.id, parent });
  if (!canMove(jar, resource, source.subscriptionId !== target.subscriptionId))
    throw moveErrors.ResourceMoveNotSupported({ type: resource.type });
  const state = resource.properties.provisioningState ?? 'Succeeded';
  if (state !== 'Succeeded')
    throw moveErrors.MoveCannotProceedWithResourcesNotInSucceededState({ id: resource.id, state: String(state) });
  // A read-only lock prevents a move; a lock against deletion does not.
  const locked = sourceSubscription.locks ? await readOnlyScopes(reader, key) : [];
  if (locked.length > 0) {
    const scopes = locked.map((each) => `'${each}'`).join(',');
    throw gatewayErrors.ScopeLocked({ scope: resource.id, operation: 'write', locked: scopes });
  }
  const namespace = resource.type.slice(0, resource.type.indexOf('/'));
  if (targetSubscription.registrations[namespace.toLowerCase()] !== 'Registered')
    throw gatewayErrors.MissingSubscriptionRegistration({ namespace });
  const { to } = moved(resource, target);
  if (await reader.get(resources, to.id.toLowerCase()))
    throw moveErrors.ResourceAlreadyExistsInTarget({ id: to.id, group: target.name });
  return resource;
}

function canMove({ providers }: Pick<Jar, 'providers'>, { type }: Resource, toOtherSubscription: boolean): boolean {
  const needed: ResourceCapability = toOtherSubscription
    ? 'CrossSubscriptionResourceMove'
    : 'CrossResourceGroupResourceMove';
  const types = providers.flatMap((provider) => provider.types);
  return types.find((each) => each.type.toLowerCase() === type.toLowerCase())?.capabilities?.includes(needed) ?? false;
}

function moved(from: Resource, { subscriptionId, name }: ResourceGroup): ResourceMove {
  const behindGroup = from.id.split('/').slice(5).join('/');
  return {
    from,
    to: { ...from, id: `${groupPath(subscriptionId, name)}/${behindGroup}`, subscriptionId, resourceGroup: name },
  };
}

const keyOf = ({ subscriptionId, name }: ResourceGroup): string => groupPath(subscriptionId, name).toLowerCase();

/** Normalises an id, so that two spellings are one resource. Trailing and doubled slashes are ignored. */
const normalKey = (id: string, { config }: Pick<Jar, 'config'>): string =>
  resourceKey(`/${id.split('/').filter(Boolean).join('/')}`, config.namespace);

const shortened = (id: string): string => id.slice(0, 300);
