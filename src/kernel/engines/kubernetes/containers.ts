import type { V1Container, V1Probe, V1ResourceRequirements, V1SecurityContext } from '@kubernetes/client-node';
import type { ContainerPlan, GroupPlan, ProbePlan, ResourcePlan, SecurityPlan } from '../plan.ts';
import { StartProblem } from '../types.ts';
import { GPU_RESOURCE } from './names.ts';
import { literal } from './volumes.ts';

const CANNOT_START = 128;

/** The container without its environment variables, which are stored in a Secret. */
export function containerOf(plan: ContainerPlan, osType: GroupPlan['osType']): V1Container {
  const { name, image, command, ports, resources, mounts, security, liveness, readiness } = plan;
  const securityContext = security && osType === 'Linux' ? securityOf(name, security) : undefined;
  return {
    name,
    image,
    ...(command && command.length > 0 && { command: command.map(literal) }),
    ...(ports.length > 0 && { ports: ports.map(({ port, protocol }) => ({ containerPort: port, protocol })) }),
    ...(resources && { resources: resourcesOf(resources) }),
    ...(mounts.length > 0 && {
      volumeMounts: mounts.map(({ volume, path, readOnly }) => ({ name: volume, mountPath: path, readOnly })),
    }),
    ...(securityContext && { securityContext }),
    // Kubernetes accepts no other success threshold for a liveness probe.
    ...(liveness && { livenessProbe: { ...probeOf(liveness), successThreshold: 1 } }),
    ...(readiness && { readinessProbe: probeOf(readiness) }),
  };
}

function resourcesOf({ requests, limits, gpu }: ResourcePlan): V1ResourceRequirements {
  return {
    requests: quantities(requests),
    limits: { ...quantities(limits), ...(gpu && { [GPU_RESOURCE]: String(gpu.count) }) },
  };
}

function quantities({ cpu, memoryBytes }: ResourcePlan['requests']): Record<string, string> {
  return { cpu: `${Math.max(1, Math.round(cpu * 1000))}m`, memory: String(Math.round(memoryBytes)) };
}

function securityOf(name: string, security: SecurityPlan): V1SecurityContext {
  if (security.seccompProfile !== undefined) {
    throw new StartProblem(
      `container ${name}: a cluster accepts only seccomp profiles that are files on its nodes`,
      CANNOT_START,
    );
  }
  const { privileged, allowPrivilegeEscalation, addCapabilities, dropCapabilities, runAsUser, runAsGroup } = security;
  const add = addCapabilities.map(capability);
  const drop = dropCapabilities.map(capability);
  return {
    privileged,
    // Kubernetes rejects `allowPrivilegeEscalation: false` for a privileged container.
    ...(allowPrivilegeEscalation !== undefined && !privileged && { allowPrivilegeEscalation }),
    ...((add.length > 0 || drop.length > 0) && {
      capabilities: { ...(add.length > 0 && { add }), ...(drop.length > 0 && { drop }) },
    }),
    ...(runAsUser !== undefined && { runAsUser }),
    ...(runAsGroup !== undefined && { runAsGroup }),
  };
}

/** Without the `CAP_` prefix: some runtimes would add a second one. */
const capability = (name: string): string => name.toUpperCase().replace(/^CAP_/, '');

function probeOf(probe: ProbePlan): V1Probe {
  const { check, initialDelaySeconds, periodSeconds, failureThreshold, successThreshold, timeoutSeconds } = probe;
  const timings = { initialDelaySeconds, periodSeconds, failureThreshold, successThreshold, timeoutSeconds };
  if (check.kind === 'exec') return { exec: { command: check.command.map(literal) }, ...timings };
  const { path, port, scheme, headers } = check;
  const httpHeaders = headers.map(({ name, value }) => ({ name, value }));
  return {
    httpGet: {
      path,
      port,
      scheme: scheme === 'https' ? 'HTTPS' : 'HTTP',
      ...(httpHeaders.length > 0 && { httpHeaders }),
    },
    ...timings,
  };
}
