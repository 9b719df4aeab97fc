import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { processorSeconds, type ServerProcess } from './server-process.ts';
import { median } from './statistics.ts';

export interface Load {
  readonly url: string;
  readonly method: 'GET' | 'PUT' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly connections: number;
  readonly seconds: number;
  /** Requests a second at most; without it, as many as the server answers. */
  readonly rate?: number;
  /** A path with `{n}` for a number that counts up from `from`, instead of the path of `url`. */
  readonly numbered?: string;
  readonly from?: number;
}

export interface LoadResult {
  readonly perSecond: number;
  readonly requests: number;
  /** Share of one core that the server used: near 1 means that the server was the bottleneck. */
  readonly serverBusy: number;
  /** The same for the load generator, which should not be the bottleneck. */
  readonly generatorBusy: number;
}

const program = fileURLToPath(new URL('load-process.mjs', import.meta.url));

export async function putLoadOn(server: ServerProcess, load: Load): Promise<LoadResult> {
  const processorBefore = processorSeconds(server.pid);
  const outcome = await new Promise<{ requests: number; seconds: number; failed: number; busy: number }>(
    (resolve, reject) => {
      const child = fork(program, [JSON.stringify(load)], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
      child.once('message', resolve);
      child.once('error', reject);
      child.once('exit', (code) => reject(new Error(`the load generator ended with status ${code}`)));
    },
  );
  if (outcome.failed > 0) throw new Error(`${outcome.failed} of ${outcome.requests} requests to ${load.url} failed`);
  return {
    perSecond: outcome.requests / outcome.seconds,
    requests: outcome.requests,
    serverBusy: (processorSeconds(server.pid) - processorBefore) / outcome.seconds,
    generatorBusy: outcome.busy,
  };
}

/** Describes the bottleneck: a server below a whole core was waiting for the disk or for the generator. */
export function busyNote(loads: Readonly<Record<string, readonly LoadResult[]>>): string {
  const parts = Object.entries(loads).map(([name, results]) => {
    const server = Math.round(median(results.map((result) => result.serverBusy)) * 100);
    const generator = Math.round(median(results.map((result) => result.generatorBusy)) * 100);
    const cost = Math.round(median(results.map((result) => (result.serverBusy / result.perSecond) * 1e6)));
    return `${name}: server ${server} % of a core (${cost} µs a request), generator ${generator} %`;
  });
  return parts.join('; ');
}
