import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** A process as it was when something was written down about it. */
export interface KnownProcess {
  readonly pid: number;
  /** When it began, in ticks of the kernel: tells it from a later process with the same id. Only Linux says so cheaply. */
  readonly processStart?: string;
}

interface ProcessState {
  readonly state: string;
  readonly start: string;
}

/** What Linux calls the process ids of the machine itself; every container has a namespace of another name. */
const IDS_OF_THE_MACHINE = 'pid:[4026531836]';

/** The host name, where this process has its id in a container: another container, with other processes, has the same ids. */
export function ownContainer(): string | undefined {
  try {
    return readlinkSync('/proc/self/ns/pid') === IDS_OF_THE_MACHINE ? undefined : hostname().replace(/[^\w.-]/g, '-');
  } catch {
    return undefined;
  }
}

/** When this process began, as far as the system tells. */
export const ownProcessStart = (): string | undefined => readState('self')?.start;

/** Whether the process is still there: a zombie has ended, and so has one whose id another process has by now. */
export function isSameProcess({ pid, processStart }: KnownProcess): boolean {
  if (!isThere(pid)) return false;
  const found = readState(pid);
  if (!found) return true;
  return !/[ZXx]/.test(found.state) && (processStart === undefined || processStart === found.start);
}

/** Whether a process is known to be the very one, so that a signal cannot reach another. */
export const isSurelySame = (known: KnownProcess): boolean =>
  known.processStart !== undefined && readState(known.pid)?.start === known.processStart && isSameProcess(known);

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Of Linux, see proc_pid_stat(5): the fields behind the name, which is in parentheses and may have any character in it. */
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
