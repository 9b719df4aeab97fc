import type { GroupPlan, PortPlan } from '../plan.ts';
import { SandboxProblem } from '../types.ts';
import { type EngineClient, EngineError, filters } from './client.ts';
import type { EngineFacts } from './engine-facts.ts';
import { LABEL, type Labels, type Names } from './names.ts';
import { makePauseImage, pauseImage } from './pause-image.ts';
import type { Publishing } from './publishing.ts';
import type { EngineMount } from './volumes.ts';

export interface InspectedContainer {
  readonly Id: string;
  readonly Config: { readonly Labels: Labels | null };
  readonly State: {
    readonly Status: string;
    readonly Running: boolean;
    readonly ExitCode: number;
    readonly OOMKilled?: boolean;
  };
  readonly NetworkSettings: NetworkSettings & {
    readonly Ports?: Readonly<Record<string, readonly PortBinding[] | null>> | null;
  };
}

export interface NetworkSettings {
  readonly IPAddress?: string;
  readonly Networks?: Readonly<Record<string, { readonly IPAddress?: string }>> | null;
}

interface PortBinding {
  readonly HostIp: string;
  readonly HostPort: string;
}

/** Address of a container in the engine's network. */
export function networkAddress({ IPAddress, Networks }: NetworkSettings): string | undefined {
  const addresses = [IPAddress, ...Object.values(Networks ?? {}).map((it) => it.IPAddress)];
  return addresses.find((it) => it !== undefined && it !== '');
}

export const isConflict = (error: unknown): error is EngineError =>
  error instanceof EngineError && (error.status === 409 || /name .*is already in use/.test(error.message));

export const isMissing = (error: unknown): error is EngineError => error instanceof EngineError && error.status === 404;

/** The container does not exist. Podman reports status 500 while it is removing the container. */
export const isGone = (error: unknown): boolean =>
  isMissing(error) ||
  (error instanceof EngineError && error.status === 500 && /no such container/i.test(error.message));

const isPortTaken = ({ message }: EngineError): boolean =>
  /address already in use|port is already allocated|ports are not available|bind: /i.test(message);

/** Infrastructure containers: each holds the network in which the containers of a group run. */
export class Sandboxes {
  readonly #client: EngineClient;
  readonly #names: Names;
  readonly #facts: EngineFacts;
  readonly #publishing: Publishing;

  constructor(client: EngineClient, names: Names, facts: EngineFacts, publishing: Publishing) {
    this.#client = client;
    this.#names = names;
    this.#facts = facts;
    this.#publishing = publishing;
  }

  /** Returns undefined if a sandbox of another generation exists. */
  async create(plan: GroupPlan, generation: number): Promise<{ ip: string | undefined } | undefined> {
    const isPublic = plan.network.address === 'Public';
    const candidates = isPublic ? this.#publishing.candidates(plan.uid) : [undefined];
    let problem: EngineError | undefined;
    for (const [index, candidate] of candidates.entries()) {
      const isLast = index === candidates.length - 1;
      if (candidate !== undefined && !isLast && (await this.#isTaken(candidate, plan.uid))) continue;
      const made = await this.#make(plan, generation, candidate);
      if (!made) return undefined;
      try {
        await this.#client.text('POST', `/containers/${this.#names.sandbox(plan.uid)}/start`);
      } catch (error) {
        await this.#remove(plan.uid);
        if (!(error instanceof EngineError)) throw error;
        problem = error;
        if (isPortTaken(error)) continue;
        break;
      }
      return { ip: await this.#ipOf(plan, made.address) };
    }
    throw sandboxProblem(plan.network.ports, candidates.at(-1), problem);
  }

  /** Creates a container that is never started; files are copied into its volumes. */
  async createFiller(uid: string, mounts: readonly EngineMount[]): Promise<string> {
    const name = this.#names.filler(uid);
    await this.#client.text('DELETE', `/containers/${name}`, { query: { force: true } }).catch(unlessGone);
    return this.#createContainer(name, {
      Labels: this.#names.labels(uid, 'filler'),
      HostConfig: { NetworkMode: 'none', Mounts: mounts },
    });
  }

  inspect(uid: string): Promise<InspectedContainer> {
    return this.#client.json('GET', `/containers/${this.#names.sandbox(uid)}/json`);
  }

  shownAddress(labels: Labels | null): string | undefined {
    const address = labels?.[LABEL.address];
    return address === undefined ? undefined : this.#publishing.shown(address);
  }

  #labels({ uid, network }: GroupPlan, generation: number, address: string | undefined): Labels {
    return {
      ...this.#names.labels(uid, 'sandbox'),
      [LABEL.generation]: String(generation),
      [NETWORK_LABEL]: network.address,
      ...(address !== undefined && { [LABEL.address]: address }),
    };
  }

  /** Returns the address of the new or existing sandbox; undefined if the existing one is of another generation. */
  async #make(
    plan: GroupPlan,
    generation: number,
    address: string | undefined,
  ): Promise<{ address: string | undefined } | undefined> {
    const { dns } = plan.network;
    const { exposed, bindings } = await this.#ports(plan, address);
    try {
      await this.#createContainer(this.#names.sandbox(plan.uid), {
        Labels: this.#labels(plan, generation, address),
        Hostname: plan.name,
        ExposedPorts: exposed,
        HostConfig: {
          PortBindings: bindings,
          ReadonlyRootfs: true,
          CapDrop: ['ALL'],
          ...(dns && { Dns: dns.nameServers, DnsSearch: dns.searchDomains, DnsOptions: dns.options }),
        },
      });
      return { address };
    } catch (error) {
      if (!isConflict(error)) throw error;
    }
    const existing = (await this.inspect(plan.uid)).Config.Labels;
    if (existing?.[LABEL.generation] !== String(generation)) return undefined;
    return { address: existing[LABEL.address] };
  }

  /** Creates the pause image if the engine does not have it. */
  async #createContainer(name: string, body: object): Promise<string> {
    const { architecture } = await this.#facts.details();
    const { image, command } = pauseImage(architecture);
    const create = async (): Promise<string> => {
      const whole = { Image: image, Entrypoint: command, Cmd: [], ...body };
      return (await this.#client.json<{ Id: string }>('POST', '/containers/create', { query: { name }, body: whole }))
        .Id;
    };
    try {
      return await create();
    } catch (error) {
      if (!isMissing(error)) throw error;
      await makePauseImage(this.#client, architecture);
      return create();
    }
  }

  async #ports(
    { network, containers }: GroupPlan,
    address: string | undefined,
  ): Promise<{ exposed: Record<string, object>; bindings: Record<string, PortBinding[]> }> {
    const bindings: Record<string, PortBinding[]> = {};
    if (address !== undefined) {
      for (const { port, protocol } of network.ports)
        bindings[`${port}/${protocol.toLowerCase()}`] = [{ HostIp: address, HostPort: String(port) }];
    }
    if (!(await this.#facts.details()).reachesContainers) {
      // Probes cannot reach the container's address, so the port is published on any free port of this machine.
      for (const port of probedPorts(containers)) bindings[`${port}/tcp`] ??= [{ HostIp: '127.0.0.1', HostPort: '' }];
    }
    return { exposed: Object.fromEntries(Object.keys(bindings).map((port) => [port, {}])), bindings };
  }

  /** Whether a group of any jar uses the address. */
  async #isTaken(address: string, uid: string): Promise<boolean> {
    const query = { all: true, filters: filters({ label: [`${LABEL.address}=${address}`] }) };
    const found = await this.#client.json<{ Labels: Labels | null }[]>('GET', '/containers/json', { query });
    return found.some(({ Labels }) => Labels?.[LABEL.group] !== uid);
  }

  async #ipOf({ uid, network }: GroupPlan, address: string | undefined): Promise<string | undefined> {
    if (network.address === 'None') return undefined;
    if (network.address === 'Public' && address !== undefined) return this.#publishing.shown(address);
    return networkAddress((await this.inspect(uid)).NetworkSettings);
  }

  async #remove(uid: string): Promise<void> {
    const options = { query: { force: true, v: true } };
    await this.#client.text('DELETE', `/containers/${this.#names.sandbox(uid)}`, options).catch(unlessGone);
  }
}

export const NETWORK_LABEL = 'cloudjar.network';

export function unlessGone(error: unknown): void {
  if (!isGone(error)) throw error;
}

function probedPorts(containers: GroupPlan['containers']): number[] {
  return containers
    .flatMap(({ liveness, readiness }) => [liveness, readiness])
    .flatMap((probe) => (probe?.check.kind === 'httpGet' ? [probe.check.port] : []));
}

function sandboxProblem(
  ports: readonly PortPlan[],
  address: string | undefined,
  problem: EngineError | undefined,
): SandboxProblem {
  const reason = problem?.message ?? 'no free address was found';
  if (address === undefined || !problem || !isPortTaken(problem))
    return new SandboxProblem(`The network of the group cannot be created: ${reason}`);
  const list = ports.map(({ port, protocol }) => `${port}/${protocol}`).join(', ');
  return new SandboxProblem(`The ports ${list} cannot be published at ${address}, because one is in use: ${reason}`);
}
