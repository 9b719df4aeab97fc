// Paths of the scripts. Only a clone has the lock file; npm leaves it out of an installed package.
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cacheFolder } from './platform.mjs';

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
export const isClone = existsSync(join(root, 'package-lock.json'));
export const dist = join(root, 'dist');
// Fetched and cached files: removable at any time, and recreated on demand.
export const runtimeDir = isClone
  ? join(root, '.runtime')
  : cacheFolder({ platform: process.platform, env: process.env, home: homedir() });
export const compileCache = join(runtimeDir, 'compile-cache');
