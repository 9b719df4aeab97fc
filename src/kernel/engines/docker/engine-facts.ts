import { type EngineClient, EngineError, isOlder } from './client.ts';

/** What has to be known of an engine to ask it in the right way. */
export interface EngineFacts {
  readonly description: string;
  readonly isPodman: boolean;
  /** Whether the last lines of a log can be asked for: Podman before 4.7 loses and mixes up lines that came in several pieces. */
  readonly countsLines: boolean;
  /** What takes an engine a while to say; asked for once. */
  details(): Promise<EngineDetails>;
}

export interface EngineDetails {
  /** In Go's words: `amd64`, `arm64`. */
  readonly architecture: string;
  readonly cpus: number;
  /** Whether containers can be given GPUs: the machine has the runtime for them. */
  readonly hasGpus: boolean;
  /** Whether addresses of containers can be reached from this process. */
  readonly reachesContainers: boolean;
}

interface Info {
  readonly NCPU?: number;
  /** Docker's, by name. */
  readonly Runtimes?: Readonly<Record<string, unknown>> | null;
  readonly Architecture?: string;
  readonly OperatingSystem?: string;
  readonly SecurityOptions?: readonly string[] | null;
  /** Podman's. */
  readonly Rootless?: boolean;
}

/** Docker has the kernel's words, Podman has Go's. */
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
    // A proxy in front of an engine may not let this through.
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
