import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** A process, as recorded in a file. */
export interface KnownProcess {
  readonly pid: number;
  /** Start time in kernel ticks, which distinguishes it from a later process with the same id. Only Linux provides it cheaply. */
  readonly processStart?: string;
}

interface ProcessState {
  readonly state: string;
  readonly start: string;
}

/** Linux's name of the initial PID namespace; every container has its own namespace with another name. */
const IDS_OF_THE_MACHINE = 'pid:[4026531836]';

/**
 * The host name if this process runs in its own PID namespace; another container can have different processes with the same ids. Undefined
 * otherwise.
 */
export function ownContainer(): string | undefined {
  try {
    return readlinkSync('/proc/self/ns/pid') === IDS_OF_THE_MACHINE ? undefined : hostname().replace(/[^\w.-]/g, '-');
  } catch {
    return undefined;
  }
}

/** Start time of this process; undefined if the system does not provide it. */
export const ownProcessStart = (): string | undefined => readState('self')?.start;

/** True if the process still runs. False for a zombie, and for a process whose id was reused. */
export function isSameProcess({ pid, processStart }: KnownProcess): boolean {
  if (!isThere(pid)) return false;
  const found = readState(pid);
  if (!found) return true;
  return !/[ZXx]/.test(found.state) && (processStart === undefined || processStart === found.start);
}

/** True only if it is certain that the process is the recorded one, so that a signal cannot reach another process. */
export const isCertainlySame = (known: KnownProcess): boolean =>
  known.processStart !== undefined && readState(known.pid)?.start === known.processStart && isSameProcess(known);

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Linux, proc_pid_stat(5): the fields after the name, which is in parentheses and may contain any character. */
function readState(pid: number | 'self'): ProcessState | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const [state, start] = [fields[0], fields[19]];
    return state === undefined || start === undefined ? undefined : { state, start };
  } catch {
    return undefined;
  }
}
