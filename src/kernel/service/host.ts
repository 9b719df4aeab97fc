import type { OnDelete, ResourceHooks } from '../arm/resource-hooks.ts';
import type { Follow, FollowChanges } from '../feed/index.ts';
import { anyOf, type Claim, claimOf, isNear, sampleOf } from '../http/claims.ts';
import type { HostNames } from '../http/host-names.ts';
import type { BoundWork, WorkHandler } from '../work/kind.ts';
import type { Jar } from './jar.ts';
import type { Announcement, OpenService, Service } from './service.ts';
import { apisOf } from './service.ts';

/** An open service and the context that its code is called with. */
export interface Opened {
  readonly service: Service;
  readonly jar: Jar;
  readonly parts: OpenService;
}

interface Hosted {
  readonly service: Service;
  readonly claim: Claim;
  /** The result of the service's `open`. */
  beginning: Promise<OpenService> | undefined;
  begun: OpenService | undefined;
  /** Also has the code that an eager service loads later. */
  opening: Promise<Opened> | undefined;
  opened: Opened | undefined;
}

/** Opens each service once, when it is first needed, and tracks the open services. */
export class ServiceHost {
  readonly #hosted = new Map<string, Hosted>();
  /** Services whose routes are not in the router yet. */
  readonly #closed = new Set<Hosted>();
  /** The combined claim of these services; rebuilt after one was opened. */
  #closedClaim: Claim | undefined;
  readonly #listeners: ((opened: Opened) => void)[] = [];
  #jar: Jar | undefined;
  #closing = false;
  #replacements = 0;

  constructor(services: readonly Service[], aliases: readonly string[] = []) {
    for (const service of services) this.#add(service, aliases);
  }

  #add(service: Service, aliases: readonly string[]): void {
    if (this.#hosted.has(service.name)) throw new Error(`there are two services named '${service.name}'`);
    const none = { beginning: undefined, begun: undefined, opening: undefined, opened: undefined };
    const hosted: Hosted = { service, claim: claimOf(service, aliases), ...none };
    this.#hosted.set(service.name, hosted);
    this.#closed.add(hosted);
  }

  get services(): readonly Service[] {
    return [...this.#hosted.values()].map(({ service }) => service);
  }

  /** Sets the jar that services are opened with. Call once, before any service is opened. */
  attach(jar: Jar): void {
    this.#jar = jar;
  }

  /** Registers a listener that is called for every service right after it was opened, before it is used. */
  onOpen(listener: (opened: Opened) => void): void {
    this.#listeners.push(listener);
  }

  /** Opens the services that a request for this path needs; usually returns undefined, because they are open. */
  openFor(path: string): Promise<unknown> | undefined {
    if (this.#closed.size === 0) return undefined;
    this.#closedClaim ??= anyOf([...this.#closed].map(({ claim }) => claim));
    if (!this.#closedClaim.takes(path)) return undefined;
    let opening: Promise<unknown>[] | undefined;
    for (const hosted of this.#closed) {
      if (!hosted.claim.takes(path)) continue;
      opening ??= [];
      opening.push(this.#open(hosted));
    }
    return opening && Promise.all(opening);
  }

  /** Opens the services that a path without a route may have been meant for. A service that fails to open is ignored. */
  async openNear(path: string): Promise<void> {
    const near = [...this.#closed].filter(({ service }) => isNear(service, path));
    await Promise.allSettled(near.map((hosted) => this.#open(hosted)));
  }

  /** Must not be awaited within a transaction. */
  async open(name: string): Promise<Opened> {
    const hosted = this.#hosted.get(name);
    if (!hosted) throw new Error(`there is no service named '${name}'`);
    return hosted.opened ?? this.#open(hosted);
  }

  /** Opens the eager services; code that they need only for requests and work is loaded later. */
  async openEager(): Promise<void> {
    const eager = [...this.#hosted.values()].filter(({ service }) => service.eager === true);
    await Promise.all(
      eager.map(async (hosted) => {
        const { code } = await this.#begin(hosted);
        if (!code) await this.#open(hosted);
      }),
    );
  }

  openAll(wanted: (service: Service) => boolean = () => true): Promise<Opened[]> {
    return Promise.all(this.services.filter(wanted).map(({ name }) => this.open(name)));
  }

  opened(name: string): Opened | undefined {
    return this.#hosted.get(name)?.opened;
  }

  get announcements(): readonly Announcement[] {
    return [...this.#hosted.values()].flatMap(({ begun }) => begun?.announce ?? []);
  }

  /** The host names of eager services that are open. */
  get hostNames(): readonly HostNames[] {
    return [...this.#hosted.values()].flatMap(({ begun }) => begun?.hostNames ?? []);
  }

  /** Call after all state was replaced: services clear what they hold in memory. Waits for services that are being opened. */
  async stateReplaced(): Promise<void> {
    for (const { beginning } of this.#hosted.values()) await beginning?.catch(() => {});
    for (const { begun } of this.#hosted.values()) await begun?.stateReplaced?.();
    this.#replacements += 1;
  }

  /** How often all state was replaced on this node since the start. */
  get replacements(): number {
    return this.#replacements;
  }

  async close(): Promise<void> {
    this.#closing = true;
    const problems: unknown[] = [];
    for (const hosted of [...this.#hosted.values()].reverse()) {
      try {
        await hosted.opening?.catch(() => {});
        await hosted.beginning?.catch(() => {});
        await hosted.begun?.close?.();
      } catch (error) {
        problems.push(error);
      }
    }
    if (problems.length > 0) throw problems[0];
  }

  #open(hosted: Hosted): Promise<Opened> {
    hosted.opening ??= this.#start(hosted).catch((error) => {
      hosted.opening = undefined;
      throw error;
    });
    return hosted.opening;
  }

  #begin(hosted: Hosted): Promise<OpenService> {
    hosted.beginning ??= this.#call(hosted.service).then(
      (begun) => {
        hosted.begun = begun;
        return begun;
      },
      (error) => {
        hosted.beginning = undefined;
        throw error;
      },
    );
    return hosted.beginning;
  }

  async #call(service: Service): Promise<OpenService> {
    if (!this.#jar) throw new Error(`'${service.name}' was requested before the jar was complete`);
    if (this.#closing) throw new Error(`'${service.name}' cannot be opened: the jar is closing`);
    const jar = this.#jar;
    // Background work of a service must not run on behalf of the caller that happened to open it.
    return jar.store.onBehalfOf(undefined, () => service.open(jar));
  }

  async #start(hosted: Hosted): Promise<Opened> {
    const { service } = hosted;
    const begun = await this.#begin(hosted);
    const parts = begun.code ? { ...begun, ...(await begun.code()) } : begun;
    checkParts(service, parts, hosted.claim);
    const opened: Opened = { service, parts, jar: parts.jar ?? (this.#jar as Jar) };
    for (const listener of this.#listeners) listener(opened);
    hosted.opened = opened;
    this.#closed.delete(hosted);
    this.#closedClaim = undefined;
    return opened;
  }

  allOpened(): Opened[] {
    return [...this.#hosted.values()].flatMap(({ opened }) => opened ?? []);
  }

  /** The due work of all services; the first item of a service opens it. */
  work(): BoundWork[] {
    return this.services.flatMap((service) =>
      (service.work ?? []).map(({ kind, concurrency, maxAttempts, read }) => ({
        kind,
        concurrency,
        maxAttempts,
        run: async (item, halt) => {
          const { parts, jar } = await this.open(service.name);
          const handler = parts.work?.find(({ of }) => of.kind === kind) as WorkHandler;
          await handler.run(read(item), jar, halt);
        },
      })),
    );
  }

  async openByPolicy(name: string): Promise<void> {
    const owner = this.services.find(({ policies = [] }) => policies.includes(name));
    if (owner) await this.open(owner.name);
  }

  async follower(name: string): Promise<Follow> {
    const owner = this.services.find(({ follows = [] }) => follows.some((each) => each.name === name));
    if (!owner) throw new Error(`no service follows the change feed as '${name}'`);
    const { parts, jar } = await this.open(owner.name);
    const follow = parts.followers?.[name] as FollowChanges;
    return (tx, changes) => follow(tx, changes, jar);
  }

  readonly resourceHooks: ResourceHooks = {
    ready: async (types) => {
      for (const type of types) {
        const owner = this.#offering(type);
        if (owner) await this.open(owner.name);
      }
    },
    onDelete: async (tx, resource) => {
      const owner = this.#offering(resource.type);
      if (!owner) return;
      const opened = this.opened(owner.name);
      if (!opened) throw new Error(`the service '${owner.name}' is not open, and it owns ${resource.id}`);
      const wanted = resource.type.toLowerCase();
      const hooks = Object.entries(opened.parts.onDelete ?? {});
      const hook: OnDelete | undefined = hooks.find(([type]) => type.toLowerCase() === wanted)?.[1];
      await hook?.(tx, resource, opened.jar);
    },
    readyToMove: async () => {
      for (const { name, movesWithResources } of this.services) if (movesWithResources) await this.open(name);
    },
    onMove: async (tx, move) => {
      for (const { name } of this.services.filter((service) => service.movesWithResources)) {
        const opened = this.opened(name);
        if (!opened) throw new Error(`the service '${name}' is not open, and it may keep something at ${move.from.id}`);
        await opened.parts.onMove?.(tx, move, opened.jar);
      }
    },
  };

  #offering(type: string): Service | undefined {
    const wanted = type.toLowerCase();
    return this.services.find(({ resourceTypes = [] }) => resourceTypes.some((it) => it.type.toLowerCase() === wanted));
  }
}

/** Throws unless a service provides exactly what its manifest declares. */
function checkParts(service: Service, parts: OpenService, claim: Claim): void {
  const wrong = (what: string): TypeError => new TypeError(`service '${service.name}': ${what}`);
  const same = (what: string, declared: readonly string[], given: readonly string[]): void => {
    for (const name of declared)
      if (!given.includes(name)) throw wrong(`${what} '${name}' is declared, but not returned by open`);
    for (const name of given)
      if (!declared.includes(name)) throw wrong(`${what} '${name}' is returned by open, but not declared`);
  };
  same(
    'work',
    (service.work ?? []).map(({ kind }) => kind),
    (parts.work ?? []).map(({ of }) => of.kind),
  );
  same(
    'policy',
    service.policies ?? [],
    (parts.policies ?? []).map(({ name }) => name),
  );
  same(
    'follower',
    (service.follows ?? []).map(({ name }) => name),
    Object.keys(parts.followers ?? {}),
  );
  same(
    'API',
    (service.apis ?? []).map(({ name }) => name),
    Object.keys(parts.apis ?? {}),
  );
  if (service.settings?.changeable !== parts.settings?.table)
    throw wrong('the settings of its manifest are not those that open returns');
  if ((service.movesWithResources ?? false) !== (parts.onMove !== undefined))
    throw wrong('movesWithResources and onMove must be given together');
  if (service.hasKey && !parts.key) throw wrong('a key is declared, but not returned by open');
  for (const api of apisOf(service)) {
    const { routes = [], sockets = [] } = api === service ? parts : (parts.apis?.[api.name] ?? {});
    const unclaimed = routes.find(({ path }) => !claim.takes(sampleOf(path)));
    if (unclaimed) throw wrong(`none of its mounts and claims covers ${unclaimed.method} ${unclaimed.path}`);
    const operations = (list: readonly { readonly operation: string }[]) => list.map(({ operation }) => operation);
    same('WebSocket', operations(api.sockets ?? []), operations(sockets));
  }
  const root = `/_jar/${service.name}`;
  const stray = parts.control?.find(({ path }) => path !== root && !path.startsWith(`${root}/`));
  if (stray) throw wrong(`control routes begin with ${root}/, unlike ${stray.path}`);
}
