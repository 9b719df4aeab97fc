import { resolve } from 'node:path';
import { type Config, ConfigError, loadConfig } from '../kernel/config/config.ts';
import { usageError } from './errors.ts';
import { findProject } from './find-project.ts';

export interface CommandConfig {
  readonly config: Config;
  /** The project folder, if it is above the working folder. */
  readonly above: string | undefined;
}

/** The settings of a command: from flags, the environment, the project's configuration file, and defaults. */
export function readConfig(flags: Readonly<Record<string, unknown>>): CommandConfig {
  const cwd = process.cwd();
  const { env } = process;
  const wanted = (['data', 'config'] as const).filter(
    (name) => flags[name] === undefined && !env[name === 'data' ? 'CLOUDJAR_DATA' : 'CLOUDJAR_CONFIG'],
  );
  const project = findProject({ cwd, wanted, env });
  try {
    const config = loadConfig({ flags, env, cwd, project });
    return { config, above: project === resolve(cwd) ? undefined : project };
  } catch (error) {
    throw error instanceof ConfigError ? usageError(error.message, error) : error;
  }
}
