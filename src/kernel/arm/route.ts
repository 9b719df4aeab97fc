import type { TSchema } from 'typebox';
import {
  type Answer,
  type BodyOf,
  type Call,
  type FamilyShape,
  noContent,
  type Params,
  type QueryOf,
  type Route,
  type RouteCode,
  type RouteHead,
  type RouteOptions,
} from '../http/route.ts';
import type { ResourceGroup, Subscription } from './collections.ts';
import type { ArmJar } from './jar.ts';
import { GATEWAY_API_VERSIONS } from './versions/published.ts';
import { shownAnswer } from './versions/shown-answer.ts';
import { listedVersions, type TypeVersions } from './versions/table.ts';
import type { VersionView } from './versions/view.ts';

/** What the gateway must know about an operation to check its calls. */
export interface ArmTraits {
  /** The required permission, for example `Vendor.Resources/subscriptions/resourceGroups/write`. */
  readonly action: string;
  /** `Vendor.ContainerInstance/containerGroups`; undefined for resources of the gateway itself. */
  readonly resourceType: string | undefined;
  /** Undefined: any version is accepted. */
  readonly versions: TypeVersions | undefined;
  /** Whether responses contain resources of the type, whose fields depend on the version. */
  readonly shows: 'one' | 'list' | undefined;
  /** Members of `properties` are also accepted beside it in a request. */
  readonly flatBody: boolean;
  /** Effect on the resource; a read writes no change record. */
  readonly effect: 'read' | 'write' | 'delete' | 'action';
  /** The operation is about the group in the path, so the group need not exist. */
  readonly ownsGroup: boolean;
  /** The path has no subscription, or one that need not exist. */
  readonly tenantLevel: boolean;
  /** Polls an operation by its id, which only its initiator knows: a role anywhere in the subscription suffices. */
  readonly isPoll: boolean;
  /**
   * The operation is about the subscription itself: it works while the subscription is disabled, and needs no registration of its provider.
   */
  readonly ofSubscription: boolean;
  /** Creates or removes locks: allowed in spite of locks, and only for owners. */
  readonly isAboutLocks: boolean;
  /** Ends the subscription, so any lock in it forbids the operation. */
  readonly endsSubscription: boolean;
}

/** A management group of the caller's tenant; the root group is named by the tenant's id. */
export interface ScopeGroup {
  readonly tenantId: string;
  readonly name: string;
}

/** Facts that the gateway found out about a call, for handlers. */
export interface ArmFacts {
  apiVersion: string;
  /** The version's view of the type. */
  view: VersionView;
  /** Provider prefix in the caller's path, used in the ids of the response. */
  prefix: string;
  subscription: Subscription | undefined;
  group: ResourceGroup | undefined;
  /** Management group that the call is about, or at whose scope it acts; always of the caller's tenant. */
  managementGroup: ScopeGroup | undefined;
  /** True once the operation has written its change record. */
  recorded: boolean;
}

/** What the gateway adds to calls and routes. Facts exist once its first step has run. */
export interface ArmShape extends FamilyShape {
  readonly facts: { arm?: ArmFacts };
  readonly traits: { readonly arm?: ArmTraits };
}

/** A call of the management API. */
export type ArmCall<P = Call['params'], Q = Call['query'], B = unknown, J extends ArmJar = ArmJar> = Call<
  P,
  Q,
  B,
  J,
  ArmShape
>;

interface ArmOptions {
  /** The required permission. */
  readonly action: string;
  readonly resourceType?: string;
  /** Versions without differences; those of the gateway if neither this nor `versions` is given. */
  readonly apiVersions?: readonly string[];
  readonly versions?: TypeVersions | undefined;
  readonly anyVersion?: boolean;
  readonly shows?: 'one' | 'list';
  readonly flatBody?: boolean;
  readonly effect?: ArmTraits['effect'];
  readonly ownsGroup?: boolean;
  readonly tenantLevel?: boolean;
  readonly isPoll?: boolean;
  readonly ofSubscription?: boolean;
  readonly isAboutLocks?: boolean;
  readonly endsSubscription?: boolean;
}

export interface ArmRouteOptions<Path extends string, Q extends TSchema, B extends TSchema, J extends ArmJar>
  extends ArmOptions,
    Omit<RouteOptions<Path, Q, B>, 'traits' | 'admit' | 'handle'> {
  /** Rejects callers by a check of this route, before the body is read. */
  admit?(call: ArmCall<Params<Path>, QueryOf<Q>, unknown, J>): Promise<void> | void;
  handle(call: ArmCall<Params<Path>, QueryOf<Q>, BodyOf<B>, J>, arm: ArmFacts): Promise<Answer> | Answer;
}

const GATEWAY_VERSIONS = listedVersions(GATEWAY_API_VERSIONS);

const EFFECTS: Readonly<Record<string, ArmTraits['effect']>> = {
  PUT: 'write',
  PATCH: 'write',
  DELETE: 'delete',
  POST: 'action',
};

export interface ArmCode<P, Q extends TSchema, B extends TSchema, J extends ArmJar = ArmJar>
  extends Omit<RouteCode<P, Q, B>, 'admit' | 'handle'> {
  /** Rejects callers by a check of this route, before the body is read. */
  admit?(call: ArmCall<P, QueryOf<Q>, unknown, J>): Promise<void> | void;
  handle(call: ArmCall<P, QueryOf<Q>, BodyOf<B>, J>, arm: ArmFacts): Promise<Answer> | Answer;
}

// biome-ignore lint/suspicious/noExplicitAny: what the code of any route has in common
export type AnyArmCode = ArmCode<any, any, any, any>;

/** Combines a management route's declaration and code. */
export function armRouteOf(options: ArmOptions & Omit<RouteHead, 'traits'>, code: AnyArmCode): Route {
  const { traits, rest } = withTraits(options);
  const { shows } = traits.arm;
  const isOne = traits.arm.resourceType !== undefined && shows !== 'list' && options.method === 'GET';
  const handle = (call: ArmCall): Promise<Answer> | Answer => {
    const arm = armFacts(call);
    const answer = code.handle(call, arm);
    if (isOne && call.method === 'HEAD') return existence(answer);
    return shows === undefined ? answer : shownAnswer(answer, arm.view, shows);
  };
  return { ...rest, traits, ...code, handle };
}

/** HEAD of a resource only shows whether it exists; clients accept only this status and 404. */
async function existence(answer: Promise<Answer> | Answer): Promise<Answer> {
  const { status } = await answer;
  return status === 200 ? noContent() : { status };
}

/** Functions that declare management routes whose handlers see the jar as `J`. */
export interface ArmRouteMakers<J extends ArmJar> {
  /** Declares a management route. */
  armRoute<const Path extends string, Q extends TSchema = TSchema, B extends TSchema = TSchema>(
    options: ArmRouteOptions<Path, Q, B, J>,
  ): Route;
  /** Types the code of a management route: `params` lists the path parameters that it uses. */
  armCode<const P extends string, Q extends TSchema = TSchema, B extends TSchema = TSchema>(
    params: readonly P[],
    code: ArmCode<Readonly<Record<P, string>>, Q, B, J>,
  ): ArmCode<Readonly<Record<P, string>>, Q, B, J>;
}

export const armRoutesFor = <J extends ArmJar>(): ArmRouteMakers<J> => ({
  armRoute: ({ handle, ...head }: ArmOptions & Omit<RouteHead, 'traits'> & AnyArmCode) => armRouteOf(head, { handle }),
  armCode: (_params, code) => code,
});

/** For management routes that need only the gateway's part of the jar. */
export const { armRoute, armCode } = armRoutesFor<ArmJar>();

function withTraits<Options extends ArmOptions & Pick<RouteHead, 'method'>>(options: Options) {
  const { action, resourceType, apiVersions, versions, anyVersion, shows, flatBody, ...others } = options;
  const { effect, ownsGroup, tenantLevel, isPoll, ofSubscription, isAboutLocks, endsSubscription, ...rest } = others;
  const arm: ArmTraits = {
    action,
    resourceType,
    versions: anyVersion ? undefined : (versions ?? (apiVersions ? listedVersions(apiVersions) : GATEWAY_VERSIONS)),
    shows,
    flatBody: flatBody ?? false,
    effect: effect ?? EFFECTS[options.method] ?? 'read',
    ownsGroup: ownsGroup ?? false,
    tenantLevel: tenantLevel ?? false,
    isPoll: isPoll ?? false,
    ofSubscription: ofSubscription ?? false,
    isAboutLocks: isAboutLocks ?? false,
    endsSubscription: endsSubscription ?? false,
  };
  return { traits: { arm }, rest };
}

export const armTraits = (call: Pick<ArmCall, 'route'>): ArmTraits => call.route.traits?.arm as ArmTraits;

/** Set by the gateway's first step; a call without them never reaches a handler. */
export const armFacts = (call: Pick<ArmCall, 'facts'>): ArmFacts => call.facts.arm as ArmFacts;
