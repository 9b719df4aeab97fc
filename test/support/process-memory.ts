import { readFileSync } from 'node:fs';

/** Peak memory of a process, in bytes: VmHWM of Linux. */
export function peakMemoryOf(pid: number): number {
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  if (kilobytes === undefined) throw new Error(`the memory of process ${pid} cannot be read`);
  return Number(kilobytes) * 1024;
}

export const MEGABYTE = 1024 * 1024;
