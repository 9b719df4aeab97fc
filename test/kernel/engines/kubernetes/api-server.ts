import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { pause } from '../../../../src/kernel/time/timers.ts';
import { loadAuthority } from '../../../../src/kernel/tls/authority.ts';
import { wantedNames } from '../../../../src/kernel/tls/names.ts';
import { admit } from './admission.ts';
import { type Behaviour, Kubelet } from './kubelet.ts';
import { type Kind, ObjectStore, type Selector, StatusError, type Stored, selectorOf } from './object-store.ts';
import { type Process, Processes } from './processes.ts';

export const NAMESPACE = 'jars';
const TOKEN = 'a-token-of-the-test';
const KINDS: Record<Kind, string> = {
  pods: 'Pod',
  secrets: 'Secret',
  services: 'Service',
  events: 'Event',
  nodes: 'Node',
};

/** A simulated failure: a response with this status, or a closed connection. */
export interface Fault {
  readonly times: number;
  readonly status?: number;
  /** Delays the request, then processes it. */
  readonly delayMs?: number;
  /** Accepts the request and never responds. */
  readonly hangs?: boolean;
  /** Processes the request first: only the response is lost. */
  readonly afterwards?: boolean;
  readonly match?: (method: string, path: string) => boolean;
}

/** A simulated cluster of one node: the HTTP API, and a node that follows it. */
export class StandInCluster {
  readonly images = new Map<string, Behaviour>();
  readonly store: ObjectStore;
  readonly kubelet: Kubelet;
  /** Every request, as `METHOD path`. */
  readonly requests: string[] = [];
  /** The process that exec and attach run. */
  onProcess: (process: Process, container: string) => void = (process) => process.exit(0);
  /** Whether the token lacks the permission to list nodes. */
  nodesForbidden = false;
  /** Maximum page size of lists. */
  longestPage = 500;
  kubeconfig = '';
  /** Number of connections made to the server. */
  connections = 0;
  readonly #folder = mkdtempSync(join(tmpdir(), 'stand-in-cluster-'));
  readonly processes = new Processes();
  readonly #watches = new Set<ServerResponse>();
  readonly #faults: (Fault & { left: number })[] = [];
  #server: Server | undefined;
  #shift = 0;
  #held = false;
  #moving = false;

  constructor() {
    const now = () => Date.now() + this.#shift;
    this.store = new ObjectStore(now);
    this.kubelet = new Kubelet(this.store, now, this.images);
    this.store.create('nodes', '', nodeNamed('node-1'));
    this.store.listen(() => this.#soon());
  }

  async start(port = 0): Promise<void> {
    const authority = loadAuthority(undefined, { names: () => wantedNames('127.0.0.1'), wallNow: Date.now });
    const { key, cert } = authority.serverCredentials();
    const server = createServer({ key, cert }, (request, response) => void this.#answer(request, response));
    server.on('secureConnection', () => this.connections++);
    server.on('upgrade', (request, socket, head) => this.#upgrade(request, socket, head));
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    this.#server = server;
    const address = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    this.kubeconfig = join(this.#folder, 'config');
    writeFileSync(this.kubeconfig, JSON.stringify(kubeconfigOf(address, authority.caPem)));
  }

  async stop(): Promise<void> {
    this.dropWatches();
    this.processes.close();
    this.#server?.closeAllConnections();
    await new Promise((resolve) => (this.#server ? this.#server.close(resolve) : resolve(undefined)));
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Pauses the node until it is resumed. */
  hold(): void {
    this.#held = true;
  }

  release(): void {
    this.#held = false;
    this.kubelet.settle();
  }

  /** Advances the cluster's clock, with everything that happens meanwhile, in order. */
  advance(ms: number): void {
    const target = this.#shift + ms;
    for (;;) {
      this.kubelet.settle();
      const next = this.kubelet.nextAt();
      const left = next === undefined ? Number.POSITIVE_INFINITY : next - (Date.now() + this.#shift);
      if (this.#shift + Math.max(left, 0) >= target) break;
      this.#shift += Math.max(left, 1);
    }
    this.#shift = Math.max(this.#shift, target);
    this.kubelet.settle();
  }

  fail(fault: Fault): void {
    this.#faults.push({ ...fault, left: fault.times });
  }

  mend(): void {
    this.#faults.length = 0;
  }

  dropWatches(): void {
    for (const response of this.#watches) response.destroy();
    this.#watches.clear();
  }

  pods = (): Stored[] => this.store.list('pods', NAMESPACE);
  secrets = (): Stored[] => this.store.list('secrets', NAMESPACE);
  services = (): Stored[] => this.store.list('services', NAMESPACE);

  #soon(): void {
    if (this.#moving) return;
    this.#moving = true;
    setImmediate(() => {
      if (!this.#held) this.kubelet.settle();
      this.#moving = false;
    });
  }

  #fault(method: string, path: string): Fault | undefined {
    const fault = this.#faults.find((it) => it.left > 0 && (it.match?.(method, path) ?? true));
    if (fault) fault.left -= 1;
    return fault;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'https://api');
    const method = request.method ?? 'GET';
    try {
      const body = await bodyOf(request);
      this.requests.push(`${method} ${url.pathname}`);
      const fault = this.#fault(method, url.pathname);
      if (fault?.hangs) return;
      if (fault?.delayMs !== undefined) await pause(fault.delayMs);
      else if (fault && !fault.afterwards) return spoil(fault, request, response);
      this.#authenticate(request);
      const result = this.#route(method, url, body, request, response);
      if (fault?.afterwards) return spoil(fault, request, response);
      if (result !== undefined) send(response, method === 'POST' ? 201 : 200, result);
    } catch (error) {
      sendError(response, error);
    }
  }

  #authenticate({ headers }: IncomingMessage): void {
    if (headers.authorization !== `Bearer ${TOKEN}`) throw new StatusError(401, 'Unauthorized', 'Unauthorized');
  }

  #route(method: string, url: URL, body: unknown, request: IncomingMessage, response: ServerResponse): unknown {
    if (url.pathname === '/version' || url.pathname === '/version/')
      return { major: '1', minor: '34', gitVersion: 'v1.34.1' };
    const [, namespace, plural = '', name, part] =
      /^\/api\/v1(?:\/namespaces\/([^/]+))?\/([^/]+)(?:\/([^/]+))?(?:\/([^/]+))?$/.exec(url.pathname) ?? [];
    if (!(plural in KINDS)) throw new StatusError(404, 'NotFound', 'the server could not find the requested resource');
    const kind = plural as Kind;
    if (kind === 'nodes' && this.nodesForbidden) {
      throw new StatusError(403, 'Forbidden', 'nodes is forbidden: User "jar" cannot list resource "nodes"');
    }
    if (method === 'POST' && namespace !== NAMESPACE) {
      throw new StatusError(404, 'NotFound', `namespaces "${namespace}" not found`);
    }
    if (part === 'log') return this.#log(namespace!, name!, url.searchParams, response);
    if (method === 'POST') return this.#create(kind, namespace!, body as Stored);
    if (method === 'PATCH') return this.#patch(kind, namespace!, name!, body as Stored, request);
    if (method === 'DELETE') return this.#delete(kind, namespace!, name!, body);
    if (name !== undefined) return this.store.get(kind, namespace ?? '', name);
    const selector = selectorOf(url.searchParams.get('labelSelector'), url.searchParams.get('fieldSelector'));
    if (url.searchParams.get('watch') === 'true') return this.#watch(kind, selector, url.searchParams, response);
    return this.#list(kind, namespace, selector, url.searchParams);
  }

  #create(kind: Kind, namespace: string, object: Stored): Stored {
    admit(kind, object);
    return this.store.create(kind, namespace, object);
  }

  #list(kind: Kind, namespace: string | undefined, selector: Selector, query: URLSearchParams): object {
    const all = this.store.list(kind, namespace).filter(selector);
    const from = Number(query.get('continue') ?? 0);
    const limit = Math.min(Number(query.get('limit') ?? this.longestPage), this.longestPage);
    const next = query.has('limit') && from + limit < all.length ? String(from + limit) : undefined;
    return {
      apiVersion: 'v1',
      kind: `${KINDS[kind]}List`,
      metadata: { resourceVersion: String(this.store.version), ...(next && { continue: next }) },
      items: query.has('limit') ? all.slice(from, from + limit) : all,
    };
  }

  #patch(kind: Kind, namespace: string, name: string, patch: Stored, { headers }: IncomingMessage): Stored {
    if (headers['content-type'] !== 'application/merge-patch+json') {
      throw new StatusError(415, 'UnsupportedMediaType', `not supported: ${headers['content-type']}`);
    }
    const before = this.store.get(kind, namespace, name);
    const data = (object: Stored): string => JSON.stringify([object.data, object.spec]);
    const after = merged(before, patch) as Stored;
    if (before.immutable && data(after) !== data(before)) throw new StatusError(422, 'Invalid', 'is immutable');
    this.store.update(kind, namespace, name, (it) => {
      for (const key of Object.keys(it)) delete it[key];
      Object.assign(it, after);
    });
    return this.store.get(kind, namespace, name);
  }

  #delete(kind: Kind, namespace: string, name: string, options: unknown): object {
    const { gracePeriodSeconds, preconditions } = (options ?? {}) as {
      gracePeriodSeconds?: number;
      preconditions?: { uid?: string };
    };
    const object = this.store.get(kind, namespace, name);
    if (preconditions?.uid !== undefined && preconditions.uid !== object.metadata.uid) {
      throw new StatusError(409, 'Conflict', `the UID in the precondition (${preconditions.uid}) does not match`);
    }
    const grace = gracePeriodSeconds ?? object.spec?.terminationGracePeriodSeconds ?? 30;
    const lingers = kind === 'pods' ? object.spec.nodeName && grace > 0 : object.metadata.finalizers?.length;
    if (!lingers) this.store.remove(kind, namespace, name);
    else if (!object.metadata.deletionTimestamp) {
      this.store.update(kind, namespace, name, (it) => {
        it.metadata.deletionTimestamp = `${new Date(Date.now() + this.#shift + grace * 1000).toISOString().slice(0, 19)}Z`;
        it.metadata.deletionGracePeriodSeconds = grace;
      });
    }
    return this.store.find(kind, namespace, name) ?? object;
  }

  #watch(kind: Kind, selector: Selector, query: URLSearchParams, response: ServerResponse): undefined {
    const version = Number(query.get('resourceVersion'));
    response.writeHead(200, { 'content-type': 'application/json' });
    response.flushHeaders();
    const line = (type: string, object: object): void => void response.write(`${JSON.stringify({ type, object })}\n`);
    let past: ReturnType<ObjectStore['since']>;
    try {
      past = this.store.since(version);
    } catch (error) {
      const { code, reason, message } = error as StatusError;
      line('ERROR', { kind: 'Status', status: 'Failure', code, reason, message });
      response.end();
      return undefined;
    }
    const hear = (change: (typeof past)[number]): void => {
      if (change.kind === kind && selector(change.object)) line(change.type, change.object);
    };
    for (const change of past) hear(change);
    const resourceVersion = String(this.store.version);
    line('BOOKMARK', { kind: KINDS[kind], apiVersion: 'v1', metadata: { resourceVersion } });
    this.#watches.add(response);
    const silence = this.store.listen(hear);
    response.on('close', () => {
      silence();
      this.#watches.delete(response);
    });
    return undefined;
  }

  #log(namespace: string, name: string, query: URLSearchParams, response: ServerResponse): undefined {
    const pod = this.store.get('pods', namespace, name);
    const container = query.get('container') ?? '';
    const all = [...(pod.spec.initContainers ?? []), ...pod.spec.containers] as { name: string }[];
    if (!all.some((it) => it.name === container)) {
      throw new StatusError(400, 'BadRequest', `container ${container} is not valid for pod ${name}`);
    }
    const log = this.kubelet.logOf(pod.metadata.uid, container);
    if (!log) throw new StatusError(400, 'BadRequest', `container "${container}" in pod "${name}" is waiting to start`);
    let lines = log.flatMap(({ at, text }) =>
      text
        .split(/(?<=\n)/)
        .map((line) => (query.get('timestamps') === 'true' ? `${new Date(at).toISOString()} ${line}` : line)),
    );
    if (query.has('tailLines')) lines = lines.slice(-Number(query.get('tailLines')));
    const bytes = Buffer.from(lines.join(''));
    response.writeHead(200, { 'content-type': 'text/plain' });
    response.end(query.has('limitBytes') ? bytes.subarray(0, Number(query.get('limitBytes'))) : bytes);
    return undefined;
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const url = new URL(request.url ?? '/', 'https://api');
    this.requests.push(`UPGRADE ${url.pathname}`);
    const refuse = (code: number, message: string): void => {
      const body = JSON.stringify({ kind: 'Status', status: 'Failure', code, message });
      socket.end(
        `HTTP/1.1 ${code} No\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      );
    };
    const fault = this.#fault('UPGRADE', url.pathname);
    if (fault?.hangs) return;
    const [, namespace = '', name = '', action] =
      /^\/api\/v1\/namespaces\/([^/]+)\/pods\/([^/]+)\/(exec|attach)$/.exec(url.pathname) ?? [];
    const pod = this.store.find('pods', namespace, name);
    const container = url.searchParams.get('container') ?? '';
    if (fault) fault.status ? refuse(fault.status, 'on order') : socket.destroy();
    else if (request.headers.authorization !== `Bearer ${TOKEN}`) refuse(401, 'Unauthorized');
    else if (!pod || !action) refuse(404, `pods "${name}" not found`);
    else if (!this.kubelet.isRunning(pod.metadata.uid, container)) refuse(400, `${container} is not running`);
    else this.processes.open(request, socket, head, url.searchParams, (it) => this.onProcess(it, container));
  }
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  return text === '' ? undefined : JSON.parse(text);
}

function spoil({ status }: Fault, request: IncomingMessage, response: ServerResponse): void {
  if (status === undefined) return void request.socket.destroy();
  sendError(response, new StatusError(status, 'OnOrder', `${status} on order`));
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

function sendError(response: ServerResponse, error: unknown): void {
  const { code, reason, message } =
    error instanceof StatusError ? error : new StatusError(500, 'InternalError', (error as Error).stack ?? '');
  if (response.headersSent) return void response.destroy();
  send(response, code, { apiVersion: 'v1', kind: 'Status', status: 'Failure', code, reason, message });
}

function merged(target: unknown, patch: unknown): unknown {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch;
  const result: Record<string, unknown> = { ...(target as Record<string, unknown>) };
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete result[name];
    else result[name] = merged(result[name], value);
  }
  return result;
}

const nodeNamed = (name: string): Stored =>
  ({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels: { 'kubernetes.io/os': 'linux' } },
    status: {
      nodeInfo: { operatingSystem: 'linux' },
      images: [{ names: ['docker.io/library/busybox@sha256:00', 'docker.io/library/busybox:1'], sizeBytes: 1 }],
    },
  }) as unknown as Stored;

const kubeconfigOf = (server: string, ca: string): object => ({
  apiVersion: 'v1',
  kind: 'Config',
  'current-context': 'stand-in',
  clusters: [
    { name: 'stand-in', cluster: { server, 'certificate-authority-data': Buffer.from(ca).toString('base64') } },
  ],
  users: [{ name: 'jar', user: { token: TOKEN } }],
  contexts: [{ name: 'stand-in', context: { cluster: 'stand-in', user: 'jar', namespace: NAMESPACE } }],
});
