import type { Kind, ObjectStore, Stored } from './object-store.ts';

/** Behaviour of an image. */
export interface Behaviour {
  /** The registry does not have the image. */
  readonly missing?: boolean;
  /** How its runs end, in order; the last entry repeats. Without it, a container runs on. */
  readonly ends?: readonly { readonly exitCode: number; readonly afterMs: number; readonly reason?: string }[];
  /** Output at the beginning of each run. */
  readonly writes?: string;
  /** Ends only when killed. */
  readonly ignoresTerm?: boolean;
  /** Fails its readiness probe. */
  readonly unready?: boolean;
}

const FIRST_BACKOFF_MS = 10_000;
const LONGEST_BACKOFF_MS = 300_000;

/** State of one container on the node. */
interface Instance {
  restarts: number;
  id: number;
  runningSince?: number;
  endsAt?: number;
  backoffUntil?: number;
  pullBackoffUntil?: number;
  log: { at: number; text: string }[];
}

// biome-ignore lint/suspicious/noExplicitAny: manifests and statuses are looked into as they are on the wire
type Any = any;

type RunState = 'Succeeded' | 'Failed' | 'Running' | 'Waiting';

interface Start {
  readonly pod: Stored;
  readonly container: Any;
  readonly instance: Instance;
  readonly behaviour: Behaviour;
  readonly list: string;
  readonly policy: string;
}

/** One node with its containers, on the test's clock. */
export class Kubelet {
  readonly #store: ObjectStore;
  readonly #now: () => number;
  readonly #behaviours: ReadonlyMap<string, Behaviour>;
  readonly #instances = new Map<string, Instance>();
  #addresses = 10;
  #ids = 0;
  /** Whether Services of type LoadBalancer get an address. */
  balancers = true;

  constructor(store: ObjectStore, now: () => number, behaviours: ReadonlyMap<string, Behaviour>) {
    this.#store = store;
    this.#now = now;
    this.#behaviours = behaviours;
  }

  /** Runs until nothing more happens at this time. */
  settle(): void {
    let version: number;
    do {
      version = this.#store.version;
      for (const service of this.#store.list('services')) this.#serve(service);
      for (const pod of this.#store.list('pods')) this.#move(pod);
      this.#collectGarbage();
    } while (this.#store.version !== version);
  }

  /** When the next change happens without a request. */
  nextAt(): number | undefined {
    const times = [...this.#instances.values()].flatMap((it) => [it.endsAt, it.backoffUntil, it.pullBackoffUntil]);
    const ends = this.#store.list('pods').flatMap(({ metadata }) => metadata.deletionTimestamp ?? []);
    times.push(...ends.map((it) => Date.parse(it)));
    const coming = times.filter((it): it is number => it !== undefined && it > this.#now());
    return coming.length > 0 ? Math.min(...coming) : undefined;
  }

  logOf(podUid: string, container: string): readonly { at: number; text: string }[] | undefined {
    const instance = this.#instances.get(`${podUid}/${container}`);
    return instance && (instance.id > 0 ? instance.log : undefined);
  }

  write(podUid: string, container: string, text: string): void {
    this.#instances.get(`${podUid}/${container}`)?.log.push({ at: this.#now(), text });
  }

  isRunning(podUid: string, container: string): boolean {
    return this.#instances.get(`${podUid}/${container}`)?.runningSince !== undefined;
  }

  #serve(service: Stored): void {
    const { name, namespace = '' } = service.metadata;
    if (service.metadata.deletionTimestamp) {
      this.#store.remove('services', namespace, name);
      return;
    }
    if (service.spec.type !== 'LoadBalancer' || service.status?.loadBalancer?.ingress || !this.balancers) return;
    this.#store.update('services', namespace, name, (it) => {
      it.metadata.finalizers = ['service.kubernetes.io/load-balancer-cleanup'];
      it.status = { loadBalancer: { ingress: [{ ip: `203.0.113.${this.#addresses++}` }] } };
    });
  }

  /** Deletes objects whose owner no longer exists. */
  #collectGarbage(): void {
    const pods = new Set(this.#store.list('pods').map(({ metadata }) => metadata.uid));
    for (const kind of ['secrets', 'services'] as const) {
      for (const { metadata } of this.#store.list(kind)) {
        const owners = metadata.ownerReferences ?? [];
        if (owners.length === 0 || owners.some(({ uid }) => pods.has(uid))) continue;
        this.#store.remove(kind, metadata.namespace ?? '', metadata.name);
      }
    }
  }

  #move(pod: Stored): void {
    if (pod.metadata.deletionTimestamp) {
      this.#end(pod);
      return;
    }
    if (!pod.spec.nodeName && !this.#schedule(pod)) return;
    if (['Succeeded', 'Failed'].includes(pod.status?.phase)) return;
    const missing = this.#missingSecret(pod);
    if (missing !== undefined) {
      this.#event(pod, 'Warning', 'FailedMount', `MountVolume.SetUp failed: secret "${missing}" not found`);
      return;
    }
    this.#advance(pod);
    this.#report(pod);
  }

  #schedule(pod: Stored): boolean {
    const wanted = Object.entries<string>(pod.spec.nodeSelector ?? {});
    const node = this.#store
      .list('nodes')
      .find(({ metadata }) => wanted.every(([key, value]) => metadata.labels?.[key] === value));
    const { name, namespace = '' } = pod.metadata;
    const message = "0/1 nodes are available: 1 node(s) didn't match Pod's node affinity/selector.";
    this.#store.update('pods', namespace, name, (it) => {
      const scheduled = node
        ? { type: 'PodScheduled', status: 'True' }
        : { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message };
      it.status = { phase: 'Pending', conditions: [scheduled] };
      if (node) it.spec.nodeName = node.metadata.name;
    });
    if (!node) this.#event(pod, 'Warning', 'FailedScheduling', message);
    else this.#event(pod, 'Normal', 'Scheduled', `Successfully assigned ${namespace}/${name}`);
    return node !== undefined;
  }

  #missingSecret(pod: Stored): string | undefined {
    const { namespace = '' } = pod.metadata;
    const volumes: Any[] = pod.spec.volumes ?? [];
    const env: Any[] = [...(pod.spec.initContainers ?? []), ...pod.spec.containers].flatMap((it) => it.env ?? []);
    const names: string[] = [
      ...volumes.flatMap((it) => it.secret?.secretName ?? it.azureFile?.secretName ?? []),
      ...env.flatMap((it) => it.valueFrom?.secretKeyRef?.name ?? []),
    ];
    return names.find((name) => !this.#store.find('secrets', namespace, name));
  }

  #advance(pod: Stored): void {
    const policy = pod.spec.restartPolicy;
    for (const init of pod.spec.initContainers ?? []) {
      const status = this.#run(pod, init, 'initContainers', policy === 'Never' ? 'Never' : 'OnFailure');
      if (status !== 'Succeeded') return;
    }
    for (const container of pod.spec.containers) this.#run(pod, container, 'containers', policy);
  }

  /** Advances one container by a step; returns its state. */
  #run(pod: Stored, container: Any, list: string, policy: string): RunState {
    const instance = this.#instance(pod, container.name);
    const behaviour = this.#behaviours.get(container.image) ?? {};
    const path = `spec.${list}{${container.name}}`;
    const now = this.#now();
    if (instance.runningSince !== undefined) {
      if (instance.endsAt === undefined || instance.endsAt > now) {
        if (behaviour.unready) this.#event(pod, 'Warning', 'Unhealthy', 'Readiness probe failed: exit code 1', path);
        return 'Running';
      }
      const { exitCode, reason } = endOf(behaviour, instance.restarts)!;
      this.#finish(pod, container.name, exitCode, reason);
      const again = policy === 'Always' || (policy === 'OnFailure' && exitCode !== 0);
      if (again && instance.restarts > 0) {
        const pause = Math.min(FIRST_BACKOFF_MS * 2 ** (instance.restarts - 1), LONGEST_BACKOFF_MS);
        instance.backoffUntil = now + pause;
        this.#event(pod, 'Warning', 'BackOff', `Back-off restarting failed container ${container.name}`, path);
      }
      return this.#run(pod, container, list, policy);
    }
    const last = this.#states.get(instance)?.last;
    if (last) {
      const again = policy === 'Always' || (policy === 'OnFailure' && last.exitCode !== 0);
      if (!again) return last.exitCode === 0 ? 'Succeeded' : 'Failed';
      if (instance.backoffUntil !== undefined && instance.backoffUntil > now) return 'Waiting';
      instance.restarts += 1;
      instance.backoffUntil = undefined;
    }
    return this.#start({ pod, container, instance, behaviour, list, policy });
  }

  /** How each container's last run ended. */
  readonly #states = new WeakMap<Instance, { last?: Any }>();

  #start({ pod, container, instance, behaviour, list, policy }: Start): RunState {
    const now = this.#now();
    const path = `spec.${list}{${container.name}}`;
    if (instance.pullBackoffUntil !== undefined && instance.pullBackoffUntil > now) return 'Waiting';
    this.#event(pod, 'Normal', 'Pulling', `Pulling image "${container.image}"`, path);
    if (behaviour.missing) {
      this.#event(pod, 'Warning', 'Failed', `Failed to pull image "${container.image}": not found`, path);
      this.#event(pod, 'Normal', 'BackOff', `Back-off pulling image "${container.image}"`, path);
      instance.pullBackoffUntil = now + FIRST_BACKOFF_MS;
      return 'Waiting';
    }
    this.#event(pod, 'Normal', 'Pulled', `Successfully pulled image "${container.image}"`, path);
    this.#event(pod, 'Normal', 'Created', `Created container ${container.name}`, path);
    this.#event(pod, 'Normal', 'Started', `Started container ${container.name}`, path);
    instance.id = ++this.#ids;
    instance.runningSince = now;
    const end = endOf(behaviour, instance.restarts);
    instance.endsAt = end && now + end.afterMs;
    instance.log = behaviour.writes ? [{ at: now, text: behaviour.writes }] : [];
    instance.pullBackoffUntil = undefined;
    return end?.afterMs === 0 ? this.#run(pod, container, list, policy) : 'Running';
  }

  #finish(pod: Stored, name: string, exitCode: number, reason?: string): void {
    const instance = this.#instance(pod, name);
    if (instance.runningSince === undefined) return;
    const last = {
      exitCode,
      reason: reason ?? (exitCode === 0 ? 'Completed' : 'Error'),
      startedAt: iso(instance.runningSince),
      finishedAt: iso(this.#now()),
      containerID: `containerd://${instance.id}`,
    };
    this.#states.set(instance, { last });
    instance.runningSince = undefined;
    instance.endsAt = undefined;
  }

  /** Its containers end first, then it is deleted. */
  #end(pod: Stored): void {
    const { name, namespace = '', uid, deletionTimestamp, deletionGracePeriodSeconds = 0 } = pod.metadata;
    const containers: Any[] = [...(pod.spec.initContainers ?? []), ...pod.spec.containers];
    const running = containers.filter((it) => this.isRunning(uid, it.name));
    const due = Date.parse(deletionTimestamp!) <= this.#now() || deletionGracePeriodSeconds === 0;
    for (const container of running) {
      const stubborn = this.#behaviours.get(container.image)?.ignoresTerm;
      const list = pod.spec.containers.includes(container) ? 'containers' : 'initContainers';
      const path = `spec.${list}{${container.name}}`;
      this.#once(pod, 'Normal', 'Killing', `Stopping container ${container.name}`, path);
      if (!stubborn || due) this.#finish(pod, container.name, stubborn ? 137 : 143);
    }
    if (running.length > 0) this.#report(pod);
    else this.#store.remove('pods', namespace, name);
  }

  #report(pod: Stored): void {
    const { name, namespace = '', uid } = pod.metadata;
    this.#store.update('pods', namespace, name, (it) => {
      const ending = it.metadata.deletionTimestamp !== undefined;
      const init: Any[] = (it.spec.initContainers ?? []).map((each: Any) => this.#statusOf(it, each, 'init', ending));
      const initialized = init.every((each) => each.state.terminated?.exitCode === 0);
      const containers: Any[] = it.spec.containers.map((each: Any) =>
        this.#statusOf(it, each, initialized ? 'main' : 'initializing', ending),
      );
      it.status = {
        ...it.status,
        phase: phaseOf(it.spec.restartPolicy, init, containers, initialized),
        startTime: it.status?.startTime ?? iso(this.#now()),
        podIP: it.status?.podIP ?? `10.1.0.${(parseInt(uid.slice(0, 2), 16) % 250) + 2}`,
        ...(init.length > 0 && { initContainerStatuses: init }),
        containerStatuses: containers,
      };
    });
  }

  #statusOf(pod: Stored, container: Any, when: 'init' | 'initializing' | 'main', ending: boolean): Any {
    const instance = this.#instance(pod, container.name);
    const last = this.#states.get(instance)?.last;
    const running = instance.runningSince;
    const policy = when === 'init' && pod.spec.restartPolicy !== 'Never' ? 'OnFailure' : pod.spec.restartPolicy;
    const waits = last && !ending && (policy === 'Always' || (policy === 'OnFailure' && last.exitCode !== 0));
    const reason = instance.pullBackoffUntil
      ? 'ImagePullBackOff'
      : waits
        ? 'CrashLoopBackOff'
        : when === 'initializing'
          ? 'PodInitializing'
          : 'ContainerCreating';
    const state = running
      ? { running: { startedAt: iso(running) } }
      : last && !waits
        ? { terminated: last }
        : { waiting: { reason } };
    const behaviour = this.#behaviours.get(container.image);
    return {
      name: container.name,
      image: container.image,
      imageID: `sha256:${container.image}`,
      ready: running !== undefined && !behaviour?.unready,
      started: running !== undefined,
      restartCount: instance.restarts,
      ...(instance.id > 0 && { containerID: `containerd://${instance.id}` }),
      state,
      lastState: last && (running !== undefined || waits) ? { terminated: last } : {},
    };
  }

  #instance(pod: Stored, container: string): Instance {
    const key = `${pod.metadata.uid}/${container}`;
    const known = this.#instances.get(key);
    if (known) return known;
    const made: Instance = { restarts: 0, id: 0, log: [] };
    this.#instances.set(key, made);
    return made;
  }

  #once(pod: Stored, type: string, reason: string, message: string, fieldPath?: string): void {
    if (!this.#reported(pod, reason, message, fieldPath)) this.#event(pod, type, reason, message, fieldPath);
  }

  #reported(pod: Stored, reason: string, message: string, fieldPath?: string): Stored | undefined {
    return this.#store
      .list('events', pod.metadata.namespace)
      .find(
        (it) =>
          it.involvedObject.uid === pod.metadata.uid &&
          it.involvedObject.fieldPath === fieldPath &&
          it.reason === reason &&
          it.message === message,
      );
  }

  /** Equal events are counted in one object; at most once per moment. */
  #event(pod: Stored, type: string, reason: string, message: string, fieldPath?: string): void {
    const { namespace = '', name, uid } = pod.metadata;
    const at = iso(this.#now());
    const known = this.#reported(pod, reason, message, fieldPath);
    if (known) {
      if (known.lastTimestamp === at && fieldPath === undefined) return;
      if (known.lastTimestamp === at && reason === 'Unhealthy') return;
      this.#store.update('events', namespace, known.metadata.name, (it) => {
        it.count += 1;
        it.lastTimestamp = at;
      });
      return;
    }
    const involvedObject = { kind: 'Pod', namespace, name, uid, ...(fieldPath && { fieldPath }) };
    const event = { type, reason, message, count: 1, firstTimestamp: at, lastTimestamp: at, involvedObject };
    const metadata = { name: `${name}.${this.#store.version.toString(16)}` } as Stored['metadata'];
    this.#store.create('events' satisfies Kind, namespace, { apiVersion: 'v1', kind: 'Event', metadata, ...event });
  }
}

const endOf = ({ ends }: Behaviour, restarts: number) => ends && (ends[restarts] ?? ends.at(-1));

const iso = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;

function phaseOf(policy: string, init: readonly Any[], containers: readonly Any[], initialized: boolean): string {
  if (policy === 'Never' && init.some((it) => it.state.terminated && it.state.terminated.exitCode !== 0))
    return 'Failed';
  if (containers.every((it) => it.state.terminated)) {
    const well = containers.every((it) => it.state.terminated.exitCode === 0);
    if (policy === 'Never') return well ? 'Succeeded' : 'Failed';
    if (policy === 'OnFailure' && well) return 'Succeeded';
  }
  const statusAtStart = containers.some((it) => it.state.running || it.state.terminated || it.lastState.terminated);
  return initialized && statusAtStart ? 'Running' : 'Pending';
}
