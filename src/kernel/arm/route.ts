import type { TSchema } from 'typebox';
import {
  type BodyOf,
  type Call,
  type Params,
  type QueryOf,
  type Route,
  type RouteOptions,
  route,
} from '../http/route.ts';
import type { ResourceGroup, Subscription } from './collections.ts';
import { GATEWAY_API_VERSIONS } from './versions.ts';

/** What the gateway has to know of an operation before it lets a call through to it. */
export interface ArmTraits {
  /** The permission, such as `Vendor.Resources/subscriptions/resourceGroups/write`. */
  readonly action: string;
  /** `Vendor.ContainerInstance/containerGroups`; absent for what the gateway owns itself. */
  readonly resourceType: string | undefined;
  /** Absent: any well-formed version will do. */
  readonly apiVersions: readonly string[] | undefined;
  /** What it does to the resource; a read leaves no change record. */
  readonly effect: 'read' | 'write' | 'delete' | 'action';
  /** The group in the path is what the operation is about, so it need not exist. */
  readonly ownsGroup: boolean;
  /** The path has no subscription, or names one that need not exist. */
  readonly tenantLevel: boolean;
}

/** What the gateway found out about a call, for handlers. */
export interface ArmFacts {
  apiVersion: string;
  /** The provider prefix of the caller's path, to be used in the ids of the answer. */
  prefix: string;
  subscription: Subscription | undefined;
  group: ResourceGroup | undefined;
  /** Set once the operation has written its change record. */
  recorded: boolean;
}

interface ArmRouteOptions<Path extends string, Q extends TSchema, B extends TSchema>
  extends Omit<RouteOptions<Path, Q, B>, 'traits' | 'handle'> {
  readonly action: string;
  readonly resourceType?: string;
  readonly apiVersions?: readonly string[];
  readonly anyVersion?: boolean;
  readonly effect?: ArmTraits['effect'];
  readonly ownsGroup?: boolean;
  readonly tenantLevel?: boolean;
  handle(
    call: Call<Params<Path>, QueryOf<Q>, BodyOf<B>>,
    arm: ArmFacts,
  ): ReturnType<RouteOptions<Path, Q, B>['handle']>;
}

const EFFECTS: Readonly<Record<string, ArmTraits['effect']>> = {
  PUT: 'write',
  PATCH: 'write',
  DELETE: 'delete',
  POST: 'action',
};

/** A route of the management API. */
export function armRoute<const Path extends string, Q extends TSchema = TSchema, B extends TSchema = TSchema>(
  options: ArmRouteOptions<Path, Q, B>,
): Route {
  const { action, resourceType, apiVersions, anyVersion, effect, ownsGroup, tenantLevel, handle, ...rest } = options;
  const traits: ArmTraits = {
    action,
    resourceType,
    apiVersions: anyVersion ? undefined : (apiVersions ?? GATEWAY_API_VERSIONS),
    effect: effect ?? EFFECTS[options.method] ?? 'read',
    ownsGroup: ownsGroup ?? false,
    tenantLevel: tenantLevel ?? false,
  };
  return route<Path, Q, B>({ ...rest, traits: { arm: traits }, handle: (call) => handle(call, armFacts(call)) });
}

export const armTraits = (call: { route: Route }): ArmTraits => call.route.traits?.arm as ArmTraits;

/** Given by the gateway's first step; a call without them never reaches a handler. */
export const armFacts = (call: { facts: Record<string, unknown> }): ArmFacts => call.facts.arm as ArmFacts;
