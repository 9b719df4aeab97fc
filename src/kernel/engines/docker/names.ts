import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import type { EngineContext } from '../context.ts';
import type { RunName } from '../types.ts';

/** What everything that is made in an engine is marked with. */
export const LABEL = {
  /** Whose it is: `EngineOptions.owner`. Its name is of the time when a jar had one owner of containers. */
  owner: 'cloudjar.jar',
  /** The group's uid. */
  group: 'cloudjar.group',
  /** What a container is for: `sandbox` holds the network, `filler` is there to fill a volume, `run` is one of the user's. */
  role: 'cloudjar.role',
  container: 'cloudjar.container',
  generation: 'cloudjar.generation',
  run: 'cloudjar.run',
  /** The address on which the sandbox has published its ports. */
  address: 'cloudjar.address',
  /** Of a jar that forgets its groups when its process ends: which process that is. */
  process: 'cloudjar.process',
} as const;

export type Labels = Readonly<Record<string, string>>;
export type Role = 'sandbox' | 'filler' | 'run';

/**
 * Names and labels of what an owner has in an engine. A name follows from what it is for, so that what exists already is found again
 * after a crash. Dots separate: neither uids nor names of containers and volumes have any.
 */
export class Names {
  readonly #labels: Labels;
  readonly #owner: string;

  constructor({ owner, lifetime }: Pick<EngineContext, 'owner' | 'lifetime'>) {
    this.#owner = owner;
    this.#labels = { [LABEL.owner]: owner, ...(lifetime === 'process' && { [LABEL.process]: thisProcess() }) };
  }

  labels(uid: string, role?: Role): Labels {
    return { ...this.#labels, [LABEL.group]: uid, ...(role && { [LABEL.role]: role }) };
  }

  runLabels(uid: string, container: string, { generation, run }: RunName): Labels {
    const own = { [LABEL.container]: container, [LABEL.generation]: String(generation), [LABEL.run]: String(run) };
    return { ...this.labels(uid, 'run'), ...own };
  }

  sandbox(uid: string): string {
    return `cloudjar.${uid}`;
  }

  run(uid: string, container: string, { generation, run }: RunName): string {
    return `cloudjar.${uid}.${container}.${generation}.${run}`;
  }

  filler(uid: string): string {
    return `cloudjar.${uid}..filler`;
  }

  /** `version` tells volumes of the same name and other content apart. */
  volume(uid: string, volume: string, version?: string): string {
    return `cloudjar.${uid}.${volume}${version === undefined ? '' : `.${version}`}`;
  }

  /** Exists once that volume has its content. */
  filled(volume: string): string {
    return `${volume}${FILLED}`;
  }

  /** Whether nobody else's label is among these. */
  mayOwn(labels: Labels | null | undefined): boolean {
    const owner = labels?.[LABEL.owner];
    return owner === undefined || owner === this.#owner;
  }

  /** The filter of a list for what is this owner's, or one group's of it. */
  filter(uid?: string): string[] {
    const own = `${LABEL.owner}=${this.#owner}`;
    return uid === undefined ? [own] : [own, `${LABEL.group}=${uid}`];
  }
}

/** Whether all of these are among the labels. Engines are asked for that, too, but some take a list of filters for a choice. */
export function hasLabels(labels: Labels | null | undefined, wanted: readonly string[]): boolean {
  return wanted.every((each) => {
    const [name = '', value] = each.split('=', 2);
    const found = labels?.[name];
    return value === undefined ? found !== undefined : found === value;
  });
}

const FILLED = '..filled';
export const isFilledMark = (volume: string): boolean => volume.endsWith(FILLED);

/** The uid in the name of a container, which is all that some engines say of it in an event. */
export const uidInName = (name: string): string | undefined => /^\/?cloudjar\.([^.]+)(\.|$)/.exec(name)?.[1];

/** Names a process on this machine for good: its number alone is given to another one later. */
export function thisProcess(): string {
  return `${machineName()}:${process.pid}:${startOf(process.pid) ?? ''}`;
}

/** Whether the process so named was one of this machine's and is there no more. */
export function isDeadHere(name: string): boolean {
  const machine = `${machineName()}:`;
  if (!name.startsWith(machine)) return false;
  const [pid, start] = name.slice(machine.length).split(':');
  const number = Number(pid);
  if (!Number.isInteger(number) || number <= 0) return false;
  return !exists(number) || (start !== '' && startOf(number) !== start);
}

/** With the namespace of process numbers: the same host name may be given to several containers. */
function machineName(): string {
  let namespace = '';
  try {
    namespace = readlinkSync('/proc/self/ns/pid').replace(/\D/g, '');
  } catch {
    // Not a Linux; the host name has to do.
  }
  return `${hostname().replaceAll(':', '_')}:${namespace}`;
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** When it began, in the words of the system; undefined where that cannot be known. */
function startOf(pid: number): string | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is a name, which may hold anything.
    return text.slice(text.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}
