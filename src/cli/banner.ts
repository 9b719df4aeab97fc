import type { RunningJar } from '../jar/index.ts';
import type { Config } from '../kernel/config/config.ts';
import type { Announcement } from '../kernel/service/service.ts';
import { consoleLink, isConsoleBuilt } from './console-link.ts';

export interface StartFacts {
  readonly config: Config;
  readonly running: RunningJar;
  readonly version: string;
  /** The data folder, if the command line named it: the other commands then need the same option. */
  readonly givenData: string | undefined;
  /** The project folder, if it is above the working folder. */
  readonly above?: string | undefined;
  /** Path of the log, for a jar in the background. */
  readonly log?: string | undefined;
}

/** The output of a start for people. The first line is stable, because programs wait for it. */
export function readyLines({ config, running, version, givenData, above, log }: StartFacts): string[] {
  const onFolder = givenData === undefined ? '' : ` --data ${shellWord(givenData)}`;
  const token = `npx cloudjar token${onFolder}`;
  const ask = `"${running.url}/subscriptions?api-version=2022-12-01"`;
  return [
    `cloudjar ready on ${running.url}`,
    '',
    `  version  ${version}`,
    `  https    ${running.httpsUrl}`,
    ...(running.caPath === undefined ? [] : [`  ca       ${running.caPath} (to trust it: npx cloudjar doctor)`]),
    ...(above === undefined ? [] : [`  project  ${above}, above the working folder`]),
    `  state    ${describeState(config)}`,
    `  clock    ${describeClock(running)}`,
    ...running.announcements.map((one) => `  ${one.name.padEnd(7)}  ${described(one, running.url)}`),
    ...(log === undefined ? [] : [`  log      ${log} (to read it: npx cloudjar logs${onFolder})`]),
    `  console  ${consoleLink(running)}${isConsoleBuilt() ? '' : ' (first run: npm run console)'}`,
    `  token    ${token}`,
    ...(log === undefined ? [] : [`  stop     npx cloudjar stop${onFolder}`]),
    '',
    `  try      curl -H "Authorization: Bearer $(${token})" ${ask}`,
    '',
  ];
}

/** The same for programs, as the first line of `start --json`. */
export function readyRecord({ config, running, version, log }: StartFacts): object {
  return {
    event: 'ready',
    url: running.url,
    httpsUrl: running.httpsUrl,
    ca: running.caPath,
    store: storeOf(config),
    data: running.folder,
    log,
    clock: running.jar.clock.mode,
    ...Object.fromEntries(running.announcements.map(({ name, text }) => [name, text])),
    console: consoleLink(running),
    now: new Date(running.jar.clock.now()).toISOString(),
    version,
    pid: process.pid,
  };
}

const described = ({ text, page }: Announcement, url: string): string =>
  page === undefined ? text : `${text}, page ${url}${page}`;

const storeOf = ({ memory, databaseUrl }: Config): string =>
  memory ? 'memory' : databaseUrl === undefined ? 'sqlite' : 'postgres';

function describeState({ memory, databaseUrl, data }: Config): string {
  if (memory) return `in memory; keys and certificates in ${data}`;
  if (databaseUrl !== undefined) return `in PostgreSQL at ${placeOf(databaseUrl)}; keys and certificates in ${data}`;
  return data;
}

/** Host and database, never user or password. */
function placeOf(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host || 'localhost'}${pathname}`;
}

function describeClock({ jar }: RunningJar): string {
  const now = new Date(jar.clock.now()).toISOString();
  const meaning = {
    shifted: 'runs, and can be advanced',
    virtual: 'stands still until advanced',
    system: 'cannot be moved',
  };
  return `${jar.clock.mode} (${meaning[jar.clock.mode]}), now ${now}`;
}

/** Quotes a text for a shell if necessary. */
function shellWord(text: string): string {
  return /^[\w./:@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
