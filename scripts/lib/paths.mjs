// Where things are. A clone has the lock file, an installed package never does (npm leaves it out).
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cacheFolder } from './platform.mjs';

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
export const isClone = existsSync(join(root, 'package-lock.json'));
export const dist = join(root, 'dist');
// What the scripts fetch or cache: removable at any time, made again when needed.
export const runtimeDir = isClone
  ? join(root, '.runtime')
  : cacheFolder({ platform: process.platform, env: process.env, home: homedir() });
export const compileCache = join(runtimeDir, 'compile-cache');
