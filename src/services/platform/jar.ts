import type { GroupEngine } from '../../kernel/engines/index.ts';
import { routesFor } from '../../kernel/http/index.ts';
import type { Call, Jar } from '../../kernel/service/index.ts';
import type { Gate } from '../../kernel/values/index.ts';
import type { PrincipalsByObject } from './access/by-objects.ts';
import type { CallerIdentity, Standings } from './access/standing.ts';
import type { TokenUses } from './access/token-uses.ts';
import type { Account, Workspace } from './accounts/collections.ts';
import type { CommandWatch } from './compute/contexts/containers/command-watch.ts';
import type { Plans } from './jobs/running/plan.ts';
import type { TaskImages } from './jobs/running/task-images.ts';
import type { AddressGuards } from './network/address-guards.ts';
import type { PlatformShape } from './operation.ts';
import type { ServingLoad } from './serving/query/load.ts';

/** The jar of the data platform's code. */
export interface PlatformJar extends Jar {
  readonly callerIdentities: Standings;
  readonly byObjects: PrincipalsByObject;
  /** Runs the tasks of jobs. */
  readonly engine: GroupEngine;
  readonly taskImages: TaskImages;
  readonly plans: Plans;
  /** Connections to the commands of execution contexts in containers. */
  readonly commandWatch: CommandWatch;
  readonly addressGuards: AddressGuards;
  readonly tokenUses: TokenUses;
  /** Limits concurrent reads of repositories: each may take hundreds of megabytes. */
  readonly checkouts: Gate;
  /** Running queries of serving endpoints on this node. */
  readonly servingLoad: ServingLoad;
}

export type PlatformCall = Call<Call['params'], Call['query'], unknown, PlatformJar, PlatformShape>;

/** On whose behalf something is done: the caller of an operation, or the principal that later work runs for. */
export type Actor = Pick<PlatformCall, 'jar' | 'facts'> & Partial<Pick<PlatformCall, 'body'>>;

export const { route, routeCode } = routesFor<PlatformJar, PlatformShape>();

type WithFacts = Pick<PlatformCall, 'facts'>;

export function accountIn({ facts }: WithFacts): Account {
  if (!facts.account) throw new Error('the account is not known: the authentication step has not run');
  return facts.account;
}

export function workspaceIn({ facts }: WithFacts): Workspace {
  if (!facts.workspace) throw new Error('the workspace is not known: this is an operation of an account');
  return facts.workspace;
}

export function callerIdentity({ facts }: WithFacts): CallerIdentity {
  if (!facts.standing) throw new Error('the caller is not known: the authentication step has not run');
  return facts.standing;
}
