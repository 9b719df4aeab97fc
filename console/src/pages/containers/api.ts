import { addressOf } from '../../shared/address.ts';
import { askManagement } from '../../shared/api/arm.ts';
import type { operations } from '../../shared/api/control.ts';
import type { RowOf } from '../../shared/list/pages.ts';

export type Group = RowOf<'/_jar/containers/groups'>;
/** A group as the control API shows it: states, probes, events and what was before. */
export type FullGroup = operations['Jar_GetContainerGroup']['responses'][200]['content']['application/json'];
export type ContainerStates = FullGroup['containerStates'][number];
export type StateRecord = FullGroup['history'][number];

/** A group as its own API shows it: how its containers are configured. */
export interface GroupResource {
  readonly properties: {
    readonly containers: readonly ConfiguredContainer[];
    readonly initContainers?: readonly ConfiguredContainer[];
    readonly volumes?: readonly Volume[];
    readonly ipAddress?: {
      readonly type?: string;
      readonly ip?: string;
      readonly fqdn?: string;
      readonly ports?: readonly Port[];
    };
  };
}

export interface Port {
  readonly port: number;
  readonly protocol?: string;
}

export interface ConfiguredContainer {
  readonly name: string;
  readonly properties: {
    readonly image?: string;
    readonly command?: readonly string[];
    readonly ports?: readonly Port[];
    readonly environmentVariables?: readonly Variable[];
    readonly volumeMounts?: readonly {
      readonly name: string;
      readonly mountPath: string;
      readonly readOnly?: boolean;
    }[];
    readonly resources?: { readonly requests?: Amounts; readonly limits?: Amounts };
    readonly livenessProbe?: ProbeDefinition;
    readonly readinessProbe?: ProbeDefinition;
  };
}

export interface Variable {
  readonly name: string;
  /** Missing for a secure value, which the API never shows. */
  readonly value?: string;
}

interface Amounts {
  readonly cpu?: number;
  readonly memoryInGB?: number;
}

export interface ProbeDefinition {
  readonly exec?: { readonly command?: readonly string[] };
  readonly httpGet?: { readonly path?: string; readonly port?: number; readonly scheme?: string };
  readonly periodSeconds?: number;
  readonly initialDelaySeconds?: number;
  readonly failureThreshold?: number;
}

/** One kind per volume: `emptyDir`, `secret`, `azureFile`, `gitRepo`. */
export type Volume = { readonly name: string } & Readonly<Record<string, unknown>>;

const VERSION = 'api-version=2025-09-01';

/** The path of a group, or of an action of it: `/start`, `/containers/web/logs`. */
export const pathOf = ({ id }: Pick<Group, 'id'>, action = '', query = ''): string =>
  `${id}${action}?${VERSION}${query}`;

export const containerPath = (group: Pick<Group, 'id'>, container: string, action: string, query = ''): string =>
  pathOf(group, `/containers/${encodeURIComponent(container)}/${action}`, query);

export async function readResource(group: Pick<Group, 'id'>, signal: AbortSignal): Promise<GroupResource> {
  return (await askManagement<GroupResource>(pathOf(group), { signal })).body;
}

type Names = Pick<Group, 'subscriptionId' | 'resourceGroup' | 'name'>;

/** Where the console shows a group. */
export const groupAddress = ({ subscriptionId, resourceGroup, name }: Names): string =>
  addressOf('containers', subscriptionId, resourceGroup, name);

/** Names of groups ignore case. */
export const groupKey = ({ subscriptionId, resourceGroup, name }: Names): string =>
  `${subscriptionId}/${resourceGroup}/${name}`.toLowerCase();

/** What may change a group: requests to it, and work that is due. Real engines do work of their own, which no signal announces. */
export const SIGNALS = ['changes', 'work', 'clock', '/subscriptions'] as const;
export const REAL_ENGINE_MS = 3_000;
