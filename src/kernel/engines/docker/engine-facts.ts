import { type EngineClient, EngineError, isOlder } from './client.ts';

/** Facts about an engine that decide how it is called. */
export interface EngineFacts {
  readonly description: string;
  readonly isPodman: boolean;
  /** Whether the engine can return the last lines of a log. Podman before 4.7 loses and mixes up lines that arrived in several pieces. */
  readonly countsLines: boolean;
  /** Facts that are slow to get; requested once. */
  details(): Promise<EngineDetails>;
}

export interface EngineDetails {
  /** As Go names it: `amd64`, `arm64`. */
  readonly architecture: string;
  readonly cpus: number;
  /** Whether containers can be given GPUs: the machine has the runtime for it. */
  readonly hasGpus: boolean;
  /** Whether this process can reach the IP addresses of containers. */
  readonly reachesContainers: boolean;
}

interface Info {
  readonly NCPU?: number;
  /** Docker only; keyed by name. */
  readonly Runtimes?: Readonly<Record<string, unknown>> | null;
  readonly Architecture?: string;
  readonly OperatingSystem?: string;
  readonly SecurityOptions?: readonly string[] | null;
  /** Podman only. */
  readonly Rootless?: boolean;
}

/** Docker reports the kernel's names, Podman Go's. */
const ARCHITECTURES: Readonly<Record<string, string>> = { x86_64: 'amd64', aarch64: 'arm64' };
const OWN_ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'amd64' };

const GPU_RUNTIME = 'nvidia';

const COUNTING_PODMAN = '4.7';

export async function learnFacts(client: EngineClient): Promise<EngineFacts> {
  const { product, version } = await client.negotiate();
  const isPodman = product === 'Podman';
  let asked: Promise<EngineDetails> | undefined;
  const details = (): Promise<EngineDetails> => {
    asked ??= learnDetails(client).catch((error: unknown) => {
      asked = undefined;
      throw error;
    });
    return asked;
  };
  const countsLines = !isPodman || !isOlder(version, COUNTING_PODMAN);
  return { description: `${product} ${version} at ${client.address.name}`, isPodman, countsLines, details };
}

async function learnDetails(client: EngineClient): Promise<EngineDetails> {
  const info = await client.json<Info>('GET', '/info').catch((error: unknown): Info => {
    // A proxy in front of the engine may not allow this call.
    if (error instanceof EngineError) return {};
    throw error;
  });
  const isRootless = info.Rootless === true || (info.SecurityOptions ?? []).some((it) => it.includes('rootless'));
  const isInMachine = /docker desktop/i.test(info.OperatingSystem ?? '');
  const architecture = info.Architecture ?? OWN_ARCHITECTURES[process.arch] ?? process.arch;
  return {
    architecture: ARCHITECTURES[architecture] ?? architecture,
    hasGpus: info.Runtimes?.[GPU_RUNTIME] !== undefined,
    cpus: info.NCPU ?? Number.POSITIVE_INFINITY,
    reachesContainers: process.platform === 'linux' && client.address.kind === 'unix' && !isRootless && !isInMachine,
  };
}
