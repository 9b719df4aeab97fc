import type { V1Container, V1Pod, V1PodDNSConfig, V1Secret, V1Service } from '@kubernetes/client-node';
import type { ContainerPlan, DnsPlan, GroupPlan } from '../plan.ts';
import { type Carried, writeCarried } from './carried.ts';
import { containerOf } from './containers.ts';
import {
  CARRIED_ANNOTATION,
  type Deployment,
  GPU_SKU_NODE_LABEL,
  GROUP_LABEL,
  metadataOf,
  OWNER_LABEL,
  partName,
  podName,
} from './names.ts';
import { environmentOf, registriesOf } from './secrets.ts';
import { volumeOf } from './volumes.ts';

/** All objects of one deployment of a group. */
export interface Manifests {
  readonly pod: V1Pod;
  readonly secrets: readonly V1Secret[];
  /** Publishes the ports of a Public group. */
  readonly service: V1Service | undefined;
}

/** Throws `MountProblem` or `StartProblem` if no cluster could run the plan. */
export function manifestsOf(deployment: Deployment, graceSeconds: number, carried: Carried): Manifests {
  const { plan } = deployment;
  const secrets: V1Secret[] = [];
  const volumes = plan.volumes.map((each) => volumeOf(deployment, each));
  secrets.push(...volumes.flatMap(({ secret }) => secret ?? []));
  const registries = registriesOf(deployment, plan.registries);
  if (registries) secrets.push(registries.secret);

  const made = (container: ContainerPlan): V1Container => {
    const environment = environmentOf(deployment, container);
    if (environment) secrets.push(environment.secret);
    return { ...containerOf(container, plan.osType), ...(environment && { env: environment.env }) };
  };
  const fillers = namedFillers(
    volumes.flatMap(({ fill }) => fill ?? []),
    plan,
  );
  const initContainers = [...fillers, ...plan.init.map(made)];
  const containers = plan.containers.map(made);
  const metadata = metadataOf(deployment, podName(plan.uid));
  const pod: V1Pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { ...metadata, annotations: { ...metadata.annotations, [CARRIED_ANNOTATION]: writeCarried(carried) } },
    spec: {
      hostname: plan.name,
      restartPolicy: plan.restartPolicy,
      os: { name: plan.osType.toLowerCase() },
      nodeSelector: nodeSelectorOf(plan),
      terminationGracePeriodSeconds: graceSeconds,
      // The containers run code of users, which gets no access to the cluster.
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      ...(initContainers.length > 0 && { initContainers }),
      containers,
      ...(volumes.length > 0 && { volumes: volumes.map(({ volume }) => volume) }),
      ...(registries && { imagePullSecrets: [registries.reference] }),
      ...(plan.network.dns && { dnsPolicy: 'None', dnsConfig: dnsOf(plan.network.dns) }),
    },
  };
  return { pod, secrets, service: serviceOf(deployment) };
}

/** Gives the jar's filler containers names that the user's containers do not have. */
function namedFillers(steps: readonly Omit<V1Container, 'name'>[], plan: GroupPlan): V1Container[] {
  const taken = new Set([...plan.init, ...plan.containers].map(({ name }) => name));
  return steps.map((step, index) => {
    let name = `cloudjar-git-${index}`;
    while (taken.has(name)) name += '-0';
    return { name, ...step };
  });
}

function nodeSelectorOf({ osType, containers }: GroupPlan): Record<string, string> {
  const gpu = containers.find(({ resources }) => resources?.gpu)?.resources?.gpu;
  return { 'kubernetes.io/os': osType.toLowerCase(), ...(gpu && { [GPU_SKU_NODE_LABEL]: gpu.sku }) };
}

function dnsOf({ nameServers, searchDomains, options }: DnsPlan): V1PodDNSConfig {
  return {
    nameservers: [...nameServers],
    ...(searchDomains.length > 0 && { searches: [...searchDomains] }),
    ...(options.length > 0 && {
      options: options.map((option) => {
        const [name, ...value] = option.split(':');
        return { name: name!, ...(value.length > 0 && { value: value.join(':') }) };
      }),
    }),
  };
}

function serviceOf(deployment: Deployment): V1Service | undefined {
  const { plan, owner, generation } = deployment;
  const { address, ports } = plan.network;
  if (address !== 'Public' || ports.length === 0) return undefined;
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: metadataOf(deployment, partName(plan.uid, generation, 'public')),
    spec: {
      type: 'LoadBalancer',
      selector: { [OWNER_LABEL]: owner, [GROUP_LABEL]: plan.uid },
      ports: ports.map(({ port, protocol }) => ({
        name: `${protocol.toLowerCase()}-${port}`,
        port,
        targetPort: port,
        protocol,
      })),
    },
  };
}
