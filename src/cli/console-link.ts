import { makeLink } from '../control/console/links.ts';
import { isBuilt } from '../control/files/built-files.ts';
import type { RunningJar } from '../jar/index.ts';
import { reachable } from './reachable.ts';

/** A one-time link to the console, for the person who reads the output of the start. */
export function consoleLink({ jar, adminKey, url }: RunningJar): string {
  const { path } = makeLink({ vault: jar.vault, adminKey }, 'admin');
  return `${reachable(url)}${path}`;
}

export const isConsoleBuilt = (): boolean => isBuilt('console');
