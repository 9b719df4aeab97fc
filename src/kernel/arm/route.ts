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

/** What the gateway has to know of an operation before it lets a call through to it. */
export interface ArmTraits {
  /** The permission, such as `Vendor.Resources/subscriptions/resourceGroups/write`. */
  readonly action: string;
  /** `Vendor.ContainerInstance/containerGroups`; absent for what the gateway owns itself. */
  readonly resourceType: string | undefined;
  /** Absent: any version will do. */
  readonly versions: TypeVersions | undefined;
  /** Whether answers are resources of the type, which each version shows with its own fields. */
  readonly shows: 'one' | 'list' | undefined;
  /** The members of `properties` may stand beside it in a request. */
  readonly flatBody: boolean;
  /** What it does to the resource; a read leaves no change record. */
  readonly effect: 'read' | 'write' | 'delete' | 'action';
  /** The group in the path is what the operation is about, so it need not exist. */
  readonly ownsGroup: boolean;
  /** The path has no subscription, or names one that need not exist. */
  readonly tenantLevel: boolean;
  /** Asks how an operation goes, by an id that only who began it knows: a role anywhere in the subscription will do. */
  readonly isPoll: boolean;
  /** It is about the subscription itself: it goes on while that is disabled, and needs no registration of its provider. */
  readonly ofSubscription: boolean;
  /** It makes or removes locks, which is possible below locks, and needs the role of an owner. */
  readonly isAboutLocks: boolean;
  /** It ends the subscription, so that locks anywhere in it forbid it. */
  readonly endsSubscription: boolean;
}

/** A management group of the caller's tenant; the root group has the tenant's id as its name. */
export interface ScopeGroup {
  readonly tenantId: string;
  readonly name: string;
}

/** What the gateway found out about a call, for handlers. */
export interface ArmFacts {
  apiVersion: string;
  /** What that version has of the type. */
  view: VersionView;
  /** The provider prefix of the caller's path, to be used in the ids of the answer. */
  prefix: string;
  subscription: Subscription | undefined;
  group: ResourceGroup | undefined;
  /** The management group that the call is about, or at whose scope it acts; of the caller's tenant. */
  managementGroup: ScopeGroup | undefined;
  /** Set once the operation has written its change record. */
  recorded: boolean;
}

/** What the gateway adds to calls and routes. Facts are there once its first step has run. */
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
  /** The permission that it needs. */
  readonly action: string;
  readonly resourceType?: string;
  /** Versions that differ in nothing; those of the gateway unless these or `versions` are given. */
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
  /** Refuses callers that only this route can tell, before the body is read. */
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

/** The schemas and the handler of a management route. */
export interface ArmCode<P, Q extends TSchema, B extends TSchema, J extends ArmJar = ArmJar>
  extends Omit<RouteCode<P, Q, B>, 'admit' | 'handle'> {
  /** Refuses callers that only this route can tell, before the body is read. */
  admit?(call: ArmCall<P, QueryOf<Q>, unknown, J>): Promise<void> | void;
  handle(call: ArmCall<P, QueryOf<Q>, BodyOf<B>, J>, arm: ArmFacts): Promise<Answer> | Answer;
}

// biome-ignore lint/suspicious/noExplicitAny: what the code of any route has in common
export type AnyArmCode = ArmCode<any, any, any, any>;

/** A management route out of its head and its code. */
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

/** HEAD of a resource says nothing but that it exists; clients accept only this status and 404. */
async function existence(answer: Promise<Answer> | Answer): Promise<Answer> {
  const { status } = await answer;
  return status === 200 ? noContent() : { status };
}

/** The ways to declare management routes whose handlers see the jar as `J`. */
export interface ArmRouteMakers<J extends ArmJar> {
  /** A route of the management API. */
  armRoute<const Path extends string, Q extends TSchema = TSchema, B extends TSchema = TSchema>(
    options: ArmRouteOptions<Path, Q, B, J>,
  ): Route;
  /** Types the code of a management route: `params` names those of its path that it uses. */
  armCode<const P extends string, Q extends TSchema = TSchema, B extends TSchema = TSchema>(
    params: readonly P[],
    code: ArmCode<Readonly<Record<P, string>>, Q, B, J>,
  ): ArmCode<Readonly<Record<P, string>>, Q, B, J>;
}

export const armRoutesFor = <J extends ArmJar>(): ArmRouteMakers<J> => ({
  armRoute: ({ handle, ...head }: ArmOptions & Omit<RouteHead, 'traits'> & AnyArmCode) => armRouteOf(head, { handle }),
  armCode: (_params, code) => code,
});

/** For management routes that need nothing of the jar but what the gateway needs. */
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

/** Given by the gateway's first step; a call without them never reaches a handler. */
export const armFacts = (call: Pick<ArmCall, 'facts'>): ArmFacts => call.facts.arm as ArmFacts;
