import { pipeline } from 'node:stream';
import { nodeHttp, nodeHttps } from '../../http/node-http.ts';
import { after, pause } from '../../time/timers.ts';
import type { ProbePlan } from '../plan.ts';
import { type ContainerTarget, EngineUnavailable, type ProbeOutcome } from '../types.ts';
import { type EngineClient, EngineError } from './client.ts';
import type { EngineFacts } from './engine-facts.ts';
import { execState, signalExec } from './exec-process.ts';
import { unwrapped } from './frames.ts';
import { lastBytes } from './logs.ts';
import { networkAddress, type Sandboxes } from './sandbox.ts';

type HttpCheck = Extract<ProbePlan['check'], { kind: 'httpGet' }>;

/** Part of a command's output that is shown in the reason. */
const SHOWN_BYTES = 1024;
/** Wait between polls for the exit code: the output may end before the engine knows that the process has. */
const SETTLE_MS = 20;
const SETTLES = 50;

const HEALTHY: ProbeOutcome = { healthy: true };
const unhealthy = (reason: string): ProbeOutcome => ({ healthy: false, reason });

/** Runs probes against containers. */
export class Probes {
  readonly #client: EngineClient;
  readonly #sandboxes: Sandboxes;
  readonly #facts: EngineFacts;

  constructor(client: EngineClient, sandboxes: Sandboxes, facts: EngineFacts) {
    this.#client = client;
    this.#sandboxes = sandboxes;
    this.#facts = facts;
  }

  async probe(target: ContainerTarget, check: ProbePlan['check'], timeoutMs: number): Promise<ProbeOutcome> {
    try {
      if (check.kind === 'exec') return await this.#exec(target.engineId, check.command, timeoutMs);
      return await this.#http(target.uid, check, timeoutMs);
    } catch (error) {
      if (error instanceof EngineUnavailable) throw error;
      return unhealthy(error instanceof Error ? error.message : String(error));
    }
  }

  async #exec(engineId: string, command: readonly string[], timeoutMs: number): Promise<ProbeOutcome> {
    const { Id } = await this.#client.json<{ Id: string }>('POST', `/containers/${engineId}/exec`, {
      body: { AttachStdout: true, AttachStderr: true, Tty: false, Cmd: command },
    });
    const stream = await this.#client.hijack(`/exec/${Id}/start`, { body: { Detach: false, Tty: false } });
    let tooLate = false;
    const cancel = after(timeoutMs, () => {
      tooLate = true;
      stream.destroy();
    });
    const plain = pipeline(stream, unwrapped(), () => {});
    const output = await lastBytes(plain, SHOWN_BYTES).catch(() => Buffer.alloc(0));
    cancel();
    if (tooLate) {
      await signalExec(this.#client, this.#facts, { engineId, execId: Id }, 'SIGKILL').catch(() => {});
      return unhealthy(`the command did not end within ${timeoutMs} ms`);
    }
    const exitCode = await this.#exitCode(Id);
    if (exitCode === 0) return HEALTHY;
    const said = output.toString().trim();
    return unhealthy(said === '' ? `the command ended with exit code ${exitCode}` : said);
  }

  async #exitCode(execId: string): Promise<number | undefined> {
    for (let tries = 0; tries < SETTLES; tries++) {
      const { Running, ExitCode } = await execState(this.#client, execId);
      if (!Running && ExitCode !== null) return ExitCode;
      await pause(SETTLE_MS);
    }
    return undefined;
  }

  async #http(uid: string, check: HttpCheck, timeoutMs: number): Promise<ProbeOutcome> {
    const { host, port } = await this.#locate(uid, check.port);
    const status = await statusOf(check, host, port, timeoutMs);
    if (status === undefined) return unhealthy(`no response within ${timeoutMs} ms`);
    return status >= 200 && status < 400 ? HEALTHY : unhealthy(`HTTP status ${status}`);
  }

  async #locate(uid: string, port: number): Promise<{ host: string; port: number }> {
    const { NetworkSettings } = await this.#sandboxes.inspect(uid);
    if ((await this.#facts.details()).reachesContainers) {
      const address = networkAddress(NetworkSettings);
      if (address !== undefined) return { host: address, port };
    }
    const binding = NetworkSettings.Ports?.[`${port}/tcp`]?.[0];
    if (!binding) throw new EngineError(404, `port ${port} cannot be reached`);
    const { HostIp, HostPort } = binding;
    return { host: HostIp === '' || HostIp === '0.0.0.0' ? '127.0.0.1' : HostIp, port: Number(HostPort) };
  }
}

/** Each probe uses a new connection, as a new client would, and accepts invalid certificates and malformed headers. */
async function statusOf(
  { path, scheme, headers }: HttpCheck,
  host: string,
  port: number,
  timeoutMs: number,
): Promise<number | undefined> {
  const { request } = scheme === 'https' ? nodeHttps() : nodeHttp;
  const signal = AbortSignal.timeout(timeoutMs);
  return new Promise((resolve, reject) => {
    const call = request({
      host,
      port,
      path: path.startsWith('/') ? path : `/${path}`,
      headers: { 'user-agent': 'cloudjar-probe' },
      agent: false,
      rejectUnauthorized: false,
      insecureHTTPParser: true,
      signal,
    });
    call.once('response', (answer) => {
      resolve(answer.statusCode);
      answer.destroy();
    });
    call.on('error', (error) => (signal.aborted ? resolve(undefined) : reject(error)));
    for (const { name, value } of headers) call.setHeader(name, value);
    call.end();
  });
}
