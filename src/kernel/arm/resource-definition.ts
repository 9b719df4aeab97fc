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
 * A resource type with the operations that every type has in the same way: PUT, GET, PATCH of tags, DELETE and both lists.
 *
 * `Prepared` is what a type makes of the body of a PUT before the transaction. `Companion` is what it keeps of a resource beside the
 * resource (how it runs, say) and shows with it.
 */
export interface ResourceDefinition<Prepared = undefined, Companion = undefined, J extends ArmJar = ArmJar>
  extends ResourceType {
  /** What each version has, where they differ; the `apiVersions` are then those of the table. */
  readonly versions?: ProviderVersions;
  /** `ContainerGroups`: in front of the operation names. */
  readonly operations: string;
  /** What is particular to the type in the body of a PUT, beside `location` and `tags`. */
  readonly body: TSchema;
  readonly namePattern: RegExp;
  /** The error for a name that does not match; the gateway's own unless given. */
  badName?(name: string): ApiError;
  /** Whether a new resource without a location gets that of its group, rather than being refused. */
  readonly locationOfGroup?: boolean;
  /** Before the transaction of a PUT: checks what the body says of itself, and takes of rates. */
  prepare?(call: JarCall<J>, arm: ArmFacts, put: ResourcePut): Promise<Prepared> | Prepared;
  /** Says what to store. Runs in the transaction of the write; throw to refuse it. */
  write(write: ResourceWrite<Prepared, J>): Promise<Written<Companion>> | Written<Companion>;
  /** Before the transaction of a DELETE. */
  beforeDelete?(call: JarCall<J>, arm: ArmFacts): Promise<void> | void;
  /** Throws to refuse a DELETE, in its transaction; what goes with a deleted group is not asked about. */
  refuseDelete?(resource: Resource, companion: Companion | undefined): void;
  /** What else goes when a resource goes, in the transaction that deletes it; to be given in `OpenService.onDelete`, too. */
  readonly onDelete?: OnDelete;
  readCompanion?(reader: Pick<Store, 'get'>, key: string): Promise<Companion | undefined>;
  /** What to say of one that is not there, where the type knows more than the gateway. */
  notFound?(reader: Pick<Store, 'get'>, key: string, name: string): Promise<ApiError | undefined>;
  /** After the transaction of a PUT that goes on: how it is by the time of the answer, where that waits for something. */
  beforeAnswer?(call: JarCall<J>, resource: Resource): Promise<Shown<Companion> | undefined>;
  /** What to show. Without a companion in lists. */
  view?(
    resource: Resource,
    prefix: string,
    full: boolean,
    companion: Companion | undefined,
    call: JarCall<J>,
  ): Record<string, unknown>;
  /** For a type whose PATCH changes more than tags. */
  readonly patch?: AnyArmCode;
  /** For a type whose DELETE goes on after its answer. */
  readonly remove?: AnyArmCode;
  /** Answers 201 to a PUT of what exists already, too. */
  readonly alwaysCreated?: boolean;
  /** Answers 200 to a PUT of something new, too. */
  readonly alwaysOk?: boolean;
  /** How clients poll a write that goes on after its answer. */
  readonly polling?: OperationHeaderOptions;
}

/** A call whose path and body the type does not look at itself. */
type JarCall<J extends ArmJar> = ArmCall<ArmCall['params'], ArmCall['query'], unknown, J>;

export interface ResourcePut {
  readonly id: string;
  readonly name: string;
  /** Of the body, else of the resource or its group; absent where the type has none. */
  readonly location: string | undefined;
  readonly body: ResourceBody;
  /** As it is at this moment; by the time of the transaction it may have changed. */
  readonly existing: Resource | undefined;
}

export type ResourceBody = Readonly<Record<string, Json | undefined>>;

export interface ResourceWrite<Prepared, J extends ArmJar = ArmJar> {
  readonly tx: Tx;
  readonly call: JarCall<J>;
  /** By the jar's clock, the same for all that is written; `createdAt` of a new resource. */
  readonly now: number;
  readonly id: string;
  /** Of the resource in the store. */
  readonly key: string;
  readonly name: string;
  readonly location: string | undefined;
  readonly body: ResourceBody;
  readonly existing: Resource | undefined;
  readonly prepared: Prepared;
  /** For the record of a write that goes on after its answer. */
  readonly origin: Origin;
}

export interface Shown<Companion> {
  readonly resource: Resource;
  readonly companion: Companion | undefined;
}

export interface Written<Companion> extends Pick<Resource, 'properties' | 'extra'> {
  readonly companion?: Companion;
  /** Present: the write goes on, and whoever ends the operation also writes the change record. */
  readonly operation?: Operation;
  /** Of the answer to the PUT; by whether the resource is new unless given. */
  readonly status?: 200 | 201;
  readonly headers?: Readonly<Record<string, string>>;
}
