import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import type { EngineContext } from '../context.ts';
import type { RunName } from '../types.ts';

/** Labels of all objects that are created in an engine. */
export const LABEL = {
  /** The owner, see `EngineOptions.owner`. The label is called `jar` because a jar once had only one owner of containers. */
  owner: 'cloudjar.jar',
  /** Uid of the group. */
  group: 'cloudjar.group',
  /** Purpose of a container: `sandbox` holds the network, `filler` is used to fill a volume, `run` is a user's container. */
  role: 'cloudjar.role',
  container: 'cloudjar.container',
  generation: 'cloudjar.generation',
  run: 'cloudjar.run',
  /** The address on which the sandbox publishes its ports. */
  address: 'cloudjar.address',
  /** The process that owns the group, if groups do not outlive their process. */
  process: 'cloudjar.process',
} as const;

export type Labels = Readonly<Record<string, string>>;
export type Role = 'sandbox' | 'filler' | 'run';

/**
 * Names and labels of an owner's objects in an engine. A name is derived from the purpose of the object, so existing objects are found
 * again after a crash. Dots separate its parts: uids and names of containers and volumes contain none.
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

  /** `version` distinguishes volumes with the same name and different content. */
  volume(uid: string, volume: string, version?: string): string {
    return `cloudjar.${uid}.${volume}${version === undefined ? '' : `.${version}`}`;
  }

  /** Name of the marker volume that exists once the volume has its content. */
  filled(volume: string): string {
    return `${volume}${FILLED}`;
  }

  /** Whether the labels name no other owner. */
  mayOwn(labels: Labels | null | undefined): boolean {
    const owner = labels?.[LABEL.owner];
    return owner === undefined || owner === this.#owner;
  }

  /** Label filter for everything of this owner, or only for one group. */
  filter(uid?: string): string[] {
    const own = `${LABEL.owner}=${this.#owner}`;
    return uid === undefined ? [own] : [own, `${LABEL.group}=${uid}`];
  }
}

/** Whether all wanted labels are present. Engines filter too, but some of them return an object if any filter matches. */
export function hasLabels(labels: Labels | null | undefined, wanted: readonly string[]): boolean {
  return wanted.every((each) => {
    const [name = '', value] = each.split('=', 2);
    const found = labels?.[name];
    return value === undefined ? found !== undefined : found === value;
  });
}

const FILLED = '..filled';
export const isFilledMark = (volume: string): boolean => volume.endsWith(FILLED);

/** Extracts the uid from the name of a container; events of some engines contain only the name. */
export const uidInName = (name: string): string | undefined => /^\/?cloudjar\.([^.]+)(\.|$)/.exec(name)?.[1];

/** Identifies a process on this machine uniquely: process ids are reused, so the start time is added. */
export function thisProcess(): string {
  return `${machineName()}:${process.pid}:${startOf(process.pid) ?? ''}`;
}

/** Whether the process ran on this machine and no longer exists. */
export function isDeadHere(name: string): boolean {
  const machine = `${machineName()}:`;
  if (!name.startsWith(machine)) return false;
  const [pid, start] = name.slice(machine.length).split(':');
  const number = Number(pid);
  if (!Number.isInteger(number) || number <= 0) return false;
  return !exists(number) || (start !== '' && startOf(number) !== start);
}

/** Includes the namespace of process ids, because several containers may have the same host name. */
function machineName(): string {
  let namespace = '';
  try {
    namespace = readlinkSync('/proc/self/ns/pid').replace(/\D/g, '');
  } catch {
    // Not Linux; the host name alone is used.
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

/** Start time of a process, in the format of the system; undefined if it cannot be read. */
function startOf(pid: number): string | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the name of the program, which may contain spaces and parentheses.
    return text.slice(text.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}
