import { readdirSync, readFileSync } from 'node:fs';

/** Stops a process and its descendants, as a hanging machine would; returns a function that continues them. */
export function freeze(pid: number): () => void {
  const pids = familyOf(pid);
  process.kill(pid, 'SIGSTOP');
  for (const each of pids) send(each, 'SIGSTOP');
  return () => {
    for (const each of pids) send(each, 'SIGCONT');
  };
}

/** The process and its descendants, parents first. */
function familyOf(pid: number): number[] {
  const children = new Map<number, number[]>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const parent = parentOf(name);
    if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const family = [pid];
  for (const each of family) family.push(...(children.get(each) ?? []));
  return family;
}

function parentOf(pid: string): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The program name is in parentheses and may contain blanks.
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return undefined;
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process has ended in the meantime.
  }
}
