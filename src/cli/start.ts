import { openJar, type RunningJar } from '../jar/index.ts';
import { type Config, ConfigError, loadConfig } from '../kernel/config/config.ts';
import { VERSION } from '../version.ts';
import { readyLines, readyRecord } from './banner.ts';
import { usageError } from './errors.ts';
import { type JarFile, removeJarFile, writeJarFile } from './jar-file.ts';
import { keepRunning } from './lifetime.ts';
import { readStartArguments } from './start-arguments.ts';

/** Runs a jar until it is told to stop. False when help was asked for instead. */
export async function start(args: readonly string[]): Promise<boolean> {
  const { flags, json, help } = readStartArguments(args);
  if (help) return false;
  const config = readConfig(flags);
  // A reader that goes away, as in `cloudjar start | head -1`, is no reason to stop.
  process.stdout.on('error', () => {});
  const running = await openJar({ config });
  const file = await announce(running);
  keepRunning({
    log: running.jar.log,
    close: async () => {
      if (running.folder !== undefined) removeJarFile(running.folder, file);
      await running.close();
    },
    say: (record) => void (json && print(JSON.stringify(record))),
  });
  const facts = { config, running, version: VERSION, givenData: flags.data === undefined ? undefined : config.data };
  print(json ? JSON.stringify(readyRecord(facts)) : readyLines(facts).join('\n'));
  return true;
}

function readConfig(flags: Readonly<Record<string, unknown>>): Config {
  try {
    return loadConfig({ flags, env: process.env, cwd: process.cwd() });
  } catch (error) {
    throw error instanceof ConfigError ? usageError(error.message, error) : error;
  }
}

async function announce(running: RunningJar): Promise<JarFile> {
  const file = {
    pid: process.pid,
    url: reachable(running.url),
    httpsUrl: reachable(running.httpsUrl),
    version: VERSION,
    startedAt: new Date().toISOString(),
  };
  try {
    if (running.folder !== undefined) await writeJarFile(running.folder, file);
    return file;
  } catch (error) {
    await running.close();
    throw error;
  }
}

/** A jar that listens everywhere is reached from here on loopback. */
const reachable = (url: string): string => url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
