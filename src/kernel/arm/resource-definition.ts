import type { TSchema } from 'typebox';
import type { ApiError } from '../http/errors.ts';
import type { Json, Store, Tx } from '../store/types.ts';
import type { Origin } from './changes.ts';
import type { Resource } from './collections.ts';
import type { ArmJar } from './jar.ts';
import type { Operation, OperationHeaderOptions } from './operations.ts';
import type { ResourceType } from './providers.ts';
import type { OnDelete } from './resource-hooks.ts';
import type { AnyArmCode, ArmCall, ArmFacts } from './route.ts';
import type { ProviderVersions } from './versions/table.ts';

/**
 * A resource type with the operations that all types share: PUT, GET, PATCH of tags, DELETE and both lists.
 * `Prepared` is what a type derives from the body of a PUT before the transaction. `Companion` is state that it stores beside the resource
 * (for example its runtime status) and shows with it.
 */
export interface ResourceDefinition<Prepared = undefined, Companion = undefined, J extends ArmJar = ArmJar>
  extends ResourceType {
  /** Content of each version if they differ; `apiVersions` are then those of the table. */
  readonly versions?: ProviderVersions;
  /** Prefix of operation names, for example `ContainerGroups`. */
  readonly operations: string;
  /** Schema of the type-specific part of a PUT body, beside `location` and `tags`. */
  readonly body: TSchema;
  readonly namePattern: RegExp;
  /** The error for an invalid name; the gateway's own by default. */
  badName?(name: string): ApiError;
  /** Whether a new resource without a location gets its group's location instead of an error. */
  readonly locationOfGroup?: boolean;
  /** Runs before the transaction of a PUT: validates the body and takes from rate limits. */
  prepare?(call: JarCall<J>, arm: ArmFacts, put: ResourcePut): Promise<Prepared> | Prepared;
  /** Returns what to store. Runs in the transaction of the write; throw to reject the write. */
  write(write: ResourceWrite<Prepared, J>): Promise<Written<Companion>> | Written<Companion>;
  /** Runs before the transaction of a DELETE. */
  beforeDelete?(call: JarCall<J>, arm: ArmFacts): Promise<void> | void;
  /** Throws to reject a DELETE, in its transaction. Not called when a whole group is deleted. */
  refuseDelete?(resource: Resource, companion: Companion | undefined): void;
  /** Deletes what belongs to a deleted resource, in the transaction that deletes it. Must also be given in `OpenService.onDelete`. */
  readonly onDelete?: OnDelete;
  readCompanion?(reader: Pick<Store, 'get'>, key: string): Promise<Companion | undefined>;
  /** The error for a missing resource, if the type knows more than the gateway. */
  notFound?(reader: Pick<Store, 'get'>, key: string, name: string): Promise<ApiError | undefined>;
  /** Runs after the transaction of a PUT that continues after its response: waits for the state to show, if the type does so. */
  beforeAnswer?(call: JarCall<J>, resource: Resource): Promise<Shown<Companion> | undefined>;
  /** What to show. Lists pass no companion. */
  view?(
    resource: Resource,
    prefix: string,
    full: boolean,
    companion: Companion | undefined,
    call: JarCall<J>,
  ): Record<string, unknown>;
  /** For a type whose PATCH changes more than tags. */
  readonly patch?: AnyArmCode;
  /** For a type whose DELETE continues after its response. */
  readonly remove?: AnyArmCode;
  /** Responds 201 to every PUT, also of an existing resource. */
  readonly alwaysCreated?: boolean;
  /** Responds 200 to every PUT, also of a new resource. */
  readonly alwaysOk?: boolean;
  /** How clients poll a write that continues after its response. */
  readonly polling?: OperationHeaderOptions;
}

/** A call whose path and body the type does not use. */
type JarCall<J extends ArmJar> = ArmCall<ArmCall['params'], ArmCall['query'], unknown, J>;

export interface ResourcePut {
  readonly id: string;
  readonly name: string;
  /** Location from the body, otherwise from the existing resource or its group; undefined if the type has none. */
  readonly location: string | undefined;
  readonly body: ResourceBody;
  /** The resource at this moment; it may have changed by the time of the transaction. */
  readonly existing: Resource | undefined;
}

export type ResourceBody = Readonly<Record<string, Json | undefined>>;

export interface ResourceWrite<Prepared, J extends ArmJar = ArmJar> {
  readonly tx: Tx;
  readonly call: JarCall<J>;
  /** Time of the jar's clock for the whole write; `createdAt` of a new resource. */
  readonly now: number;
  readonly id: string;
  /** Key of the resource in the store. */
  readonly key: string;
  readonly name: string;
  readonly location: string | undefined;
  readonly body: ResourceBody;
  readonly existing: Resource | undefined;
  readonly prepared: Prepared;
  /** For the change record of a write that continues after its response. */
  readonly origin: Origin;
}

export interface Shown<Companion> {
  readonly resource: Resource;
  readonly companion: Companion | undefined;
}

export interface Written<Companion> extends Pick<Resource, 'properties' | 'extra'> {
  readonly companion?: Companion;
  /** If present, the write continues, and the code that ends the operation writes the change record. */
  readonly operation?: Operation;
  /** Status of the response to the PUT; by default it depends on whether the resource is new. */
  readonly status?: 200 | 201;
  readonly headers?: Readonly<Record<string, string>>;
}
