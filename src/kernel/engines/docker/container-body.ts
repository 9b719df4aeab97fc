import type { ContainerPlan, GroupPlan, ResourcePlan, SecurityPlan } from '../plan.ts';
import type { EngineMounts } from './volumes.ts';

const BILLION = 1_000_000_000;
/** Shares of a whole processor, by the custom of the kernel. */
const SHARES = 1024;
const LEAST_SHARES = 2;
const MOST_SHARES = 262_144;
/** Engines refuse less. */
const LEAST_MEMORY = 6 * 1024 * 1024;
const LEAST_CPU = 0.01;
/** A few times of what can be read of a log; nobody's disk is to be filled by one. */
const LOG_SIZE = '16m';

/** Podman's own default. Docker has none: a program that starts itself again and again would take the machine along. */
const MOST_PROCESSES = 2048;

export interface BodyParts {
  readonly labels: Readonly<Record<string, string>>;
  /** The name of the container that has the network. */
  readonly sandbox: string;
  readonly mounts: EngineMounts;
  /** What follows `seccomp=`. */
  readonly seccomp: string | undefined;
  /** How many there are. */
  readonly cpus: number;
  /** Whether the engine has GPUs to give. */
  readonly hasGpus: boolean;
  readonly isPodman: boolean;
  /** Of the image, where only the group is given. */
  readonly imageUser: string | undefined;
}

/** What the engine is asked to make of a container of a group. */
export function containerBody(group: GroupPlan, plan: ContainerPlan, parts: BodyParts): object {
  const { security } = plan;
  return {
    Image: plan.image,
    // The command of a user takes the place of all that the image would run.
    ...(plan.command && { Entrypoint: plan.command, Cmd: [] }),
    Env: plan.env.map(({ name, value }) => `${name}=${value}`),
    Labels: parts.labels,
    // Docker takes it from the container that has the network, and minds being told.
    ...(parts.isPodman && { Hostname: group.name }),
    ...userOf(security, parts.imageUser),
    HostConfig: {
      NetworkMode: `container:${parts.sandbox}`,
      ...parts.mounts,
      ...resourcesOf(plan.resources ?? wholeOf(group), parts.cpus),
      ...(parts.hasGpus && gpusOf(plan)),
      ...(!parts.isPodman && { PidsLimit: MOST_PROCESSES }),
      LogConfig: { Type: 'json-file', Config: { 'max-size': LOG_SIZE, ...(!parts.isPodman && { 'max-file': '2' }) } },
      ...(security && {
        Privileged: security.privileged,
        CapAdd: security.addCapabilities,
        CapDrop: security.dropCapabilities,
        SecurityOpt: [
          ...(security.allowPrivilegeEscalation === false ? ['no-new-privileges'] : []),
          ...(parts.seccomp === undefined ? [] : [`seccomp=${parts.seccomp}`]),
        ],
      }),
    },
  };
}

/** As many as are asked for; which kind they are is up to the machine. */
function gpusOf({ resources }: ContainerPlan): object {
  const count = resources?.gpu?.count;
  return count === undefined ? {} : { DeviceRequests: [{ Driver: 'nvidia', Count: count, Capabilities: [['gpu']] }] };
}

function userOf(security: SecurityPlan | undefined, imageUser: string | undefined): { User?: string } {
  const { runAsUser, runAsGroup } = security ?? {};
  if (runAsUser === undefined && runAsGroup === undefined) return {};
  const user = runAsUser ?? (imageUser?.split(':')[0] || '0');
  return { User: runAsGroup === undefined ? String(user) : `${user}:${runAsGroup}` };
}

function resourcesOf({ requests, limits }: ResourcePlan, cpus: number): object {
  const memory = Math.max(LEAST_MEMORY, Math.round(limits.memoryBytes));
  // Engines refuse more than there is, which is no reason not to run.
  const cpu = Math.min(cpus, Math.max(LEAST_CPU, limits.cpu));
  return {
    NanoCpus: Math.round(cpu * BILLION),
    CpuShares: Math.min(MOST_SHARES, Math.max(LEAST_SHARES, Math.round(requests.cpu * SHARES))),
    Memory: memory,
    // As much again as without swap: none.
    MemorySwap: memory,
    MemoryReservation: Math.min(memory, Math.max(LEAST_MEMORY, Math.round(requests.memoryBytes))),
  };
}

/** What init containers have: all that the group has. */
function wholeOf({ containers }: GroupPlan): ResourcePlan {
  const all = containers.flatMap(({ resources }) => (resources ? [resources] : []));
  const sum = (pick: (it: ResourcePlan) => number): number => all.reduce((total, it) => total + pick(it), 0);
  return {
    requests: { cpu: sum((it) => it.requests.cpu), memoryBytes: sum((it) => it.requests.memoryBytes) },
    limits: { cpu: sum((it) => it.limits.cpu), memoryBytes: sum((it) => it.limits.memoryBytes) },
    gpu: undefined,
  };
}
