import type { ContainerPlan, GroupPlan, ResourcePlan, SecurityPlan } from '../plan.ts';
import type { EngineMounts } from './volumes.ts';

const BILLION = 1_000_000_000;
/** CPU shares of one whole processor, as the Linux kernel counts them. */
const SHARES = 1024;
const LEAST_SHARES = 2;
const MOST_SHARES = 262_144;
/** Engines reject smaller values. */
const LEAST_MEMORY = 6 * 1024 * 1024;
const LEAST_CPU = 0.01;
/** A few times the readable part of a log, so that no log fills the disk. */
const LOG_SIZE = '16m';

/** Podman's default. Docker has no limit, so a fork bomb would bring down the machine. */
const MOST_PROCESSES = 2048;

export interface BodyParts {
  readonly labels: Readonly<Record<string, string>>;
  /** Name of the container that holds the network. */
  readonly sandbox: string;
  readonly mounts: EngineMounts;
  /** The value after `seccomp=`. */
  readonly seccomp: string | undefined;
  /** Number of processors. */
  readonly cpus: number;
  /** Whether the engine has GPUs. */
  readonly hasGpus: boolean;
  readonly isPodman: boolean;
  /** The user of the image, needed if only the group is set. */
  readonly imageUser: string | undefined;
}

/** Request body that creates a container of a group. */
export function containerBody(group: GroupPlan, plan: ContainerPlan, parts: BodyParts): object {
  const { security } = plan;
  return {
    Image: plan.image,
    // The user's command replaces both entrypoint and command of the image.
    ...(plan.command && { Entrypoint: plan.command, Cmd: [] }),
    Env: plan.env.map(({ name, value }) => `${name}=${value}`),
    Labels: parts.labels,
    // Docker takes the host name from the container that holds the network, and rejects it here.
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

/** Only the number of GPUs is honoured; their model depends on the machine. */
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
  // Engines reject a limit above the number of processors; a smaller limit still lets the container run.
  const cpu = Math.min(cpus, Math.max(LEAST_CPU, limits.cpu));
  return {
    NanoCpus: Math.round(cpu * BILLION),
    CpuShares: Math.min(MOST_SHARES, Math.max(LEAST_SHARES, Math.round(requests.cpu * SHARES))),
    Memory: memory,
    // Memory and swap together: equal to the memory, so no swap.
    MemorySwap: memory,
    MemoryReservation: Math.min(memory, Math.max(LEAST_MEMORY, Math.round(requests.memoryBytes))),
  };
}

/** Init containers get the resources of the whole group. */
function wholeOf({ containers }: GroupPlan): ResourcePlan {
  const all = containers.flatMap(({ resources }) => (resources ? [resources] : []));
  const sum = (pick: (it: ResourcePlan) => number): number => all.reduce((total, it) => total + pick(it), 0);
  return {
    requests: { cpu: sum((it) => it.requests.cpu), memoryBytes: sum((it) => it.requests.memoryBytes) },
    limits: { cpu: sum((it) => it.limits.cpu), memoryBytes: sum((it) => it.limits.memoryBytes) },
    gpu: undefined,
  };
}
