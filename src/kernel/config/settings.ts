import {
  choiceKind,
  countKind,
  type Kind,
  listKind,
  pathKind,
  portKind,
  switchKind,
  textKind,
  timeKind,
  urlKind,
} from './kinds.ts';

/** One setting: the source of its flag, variable, key in the file and entry in the reference. */
export interface Setting<T = unknown> {
  readonly kind: Kind<NonNullable<T>>;
  readonly default: T;
  /** Description of the default for help and the reference, if the value itself says too little. */
  readonly defaultText?: string;
  /** Without the leading dashes; absent if the setting has no flag. */
  readonly flag?: string;
  readonly env: string;
  /** False if the setting cannot be in the file. */
  readonly inFile?: false;
  /** Never shown in errors, logs or the reference. */
  readonly secret?: true;
  readonly description: string;
}

type Declared<T> = Omit<Setting, 'kind' | 'default'> & { readonly kind: Kind<T> };

/** Keeps the type of the value: never `undefined` if there is a default. */
function setting<T>(declared: Declared<T> & { readonly default: NoInfer<T> }): Setting<T>;
function setting<T>(declared: Declared<T>): Setting<T | undefined>;
function setting<T>(declared: Declared<T> & { readonly default?: T }): Setting<T | undefined> {
  return { default: undefined, ...declared } as Setting<T | undefined>;
}

const hostKind = textKind({
  expected: 'a host name or an IP address',
  placeholder: 'host',
  pattern: /^(?:[A-Za-z0-9](?:[A-Za-z0-9._-]{0,252})|[0-9A-Fa-f:.]+(?:%[\w.-]+)?)$/,
});

const prefixKind = textKind({
  expected: 'a provider prefix of letters, digits and dots',
  placeholder: 'prefix',
  pattern: /^[A-Za-z][A-Za-z0-9]*(?:\.[A-Za-z0-9]+)*$/,
});

/** The admin key is sent as a bearer token, which limits its alphabet (RFC 6750). */
const bearerKind = textKind({
  expected: 'at least 8 characters out of A-Z a-z 0-9 - . _ ~ + / =',
  placeholder: 'key',
  pattern: /^[A-Za-z0-9\-._~+/]{8,}=*$/,
});

const passphraseKind = textKind({
  expected: 'a passphrase of 1 to 1024 characters',
  placeholder: 'passphrase',
  pattern: /^[^\0]{1,1024}$/,
});

const secretKeyKind = textKind({
  expected: 'the content of a secret.key, 43 characters out of A-Z a-z 0-9 - _',
  placeholder: 'key',
  pattern: /^[\w-]{43}$/,
});

export const SETTINGS = {
  port: setting({
    kind: portKind,
    default: 7400,
    flag: 'port',
    env: 'CLOUDJAR_PORT',
    description: 'Port of the HTTP server; 0 picks a free one.',
  }),
  httpsPort: setting({
    kind: portKind,
    default: 7443,
    flag: 'https-port',
    env: 'CLOUDJAR_HTTPS_PORT',
    description: 'Port of the HTTPS server, the same services with a certificate of the local CA; 0 picks a free one.',
  }),
  host: setting({
    kind: hostKind,
    default: '127.0.0.1',
    flag: 'host',
    env: 'CLOUDJAR_HOST',
    description: 'Address to listen on. Beyond loopback, other machines can reach the jar.',
  }),
  publicUrl: setting({
    kind: listKind(urlKind(['http:', 'https:'])),
    default: [],
    flag: 'public-url',
    env: 'CLOUDJAR_PUBLIC_URL',
    description:
      'Address by which clients reach the jar, where that is a name on the Internet or of a company network. Discovery documents and tokens name it; a Host that is no name of the jar is answered with the first.',
  }),
  data: setting({
    kind: pathKind,
    default: '.cloudjar',
    flag: 'data',
    env: 'CLOUDJAR_DATA',
    description:
      'Folder for the database, the keys and the local CA; made when it is missing. The default is in the project: docs/cli.md says which folder that is.',
  }),
  memory: setting({
    kind: switchKind,
    default: false,
    flag: 'memory',
    env: 'CLOUDJAR_MEMORY',
    description:
      'Keep all state in memory, gone at the end. The keys and the local CA still come from the data folder, so that clients need not be told new ones.',
  }),
  databaseUrl: setting({
    kind: urlKind(['postgres:', 'postgresql:']),
    flag: 'database-url',
    env: 'CLOUDJAR_DATABASE_URL',
    secret: true,
    description: 'Store in this PostgreSQL database instead of a SQLite file, so that several jars can share it.',
  }),
  databaseTimeoutMs: setting({
    kind: countKind(100, 600_000),
    default: 5000,
    flag: 'database-timeout-ms',
    env: 'CLOUDJAR_DATABASE_TIMEOUT_MS',
    description:
      'A PostgreSQL that answers nothing for so many milliseconds counts as gone: calls get 503 at once until it answers again. A call waits for a connection for twice as long at most, and for one statement six times as long.',
  }),
  databaseQueue: setting({
    kind: countKind(1, 1_000_000),
    default: 1000,
    flag: 'database-queue',
    env: 'CLOUDJAR_DATABASE_QUEUE',
    description: 'How many calls may wait for a connection to PostgreSQL; more are refused with 503.',
  }),
  shutdownTimeoutMs: setting({
    kind: countKind(100, 3_600_000),
    default: 20_000,
    flag: 'shutdown-timeout-ms',
    env: 'CLOUDJAR_SHUTDOWN_TIMEOUT_MS',
    description:
      'Closing takes so many milliseconds at most, whatever hangs. Requests that are being answered get up to half of it.',
  }),
  redisUrl: setting({
    kind: urlKind(['redis:', 'rediss:']),
    flag: 'redis-url',
    env: 'CLOUDJAR_REDIS_URL',
    secret: true,
    description:
      'Count rate limits in this Redis or Valkey instead of in memory, so that the nodes of a jar share them; docs/limits.md says more.',
  }),
  redisTimeoutMs: setting({
    kind: countKind(10, 600_000),
    default: 2000,
    flag: 'redis-timeout-ms',
    env: 'CLOUDJAR_REDIS_TIMEOUT_MS',
    description:
      'A Redis that has not answered after so many milliseconds is asked again only by a probe, until it answers that.',
  }),
  redisFailure: setting({
    kind: choiceKind(['count', 'open', 'closed']),
    default: 'count',
    flag: 'redis-failure',
    env: 'CLOUDJAR_REDIS_FAILURE',
    description:
      'While Redis does not answer: count rates on each node by itself, leave the limits open (nothing is refused), or closed (503 for every call that a rate limit concerns).',
  }),
  clock: setting({
    kind: choiceKind(['shifted', 'virtual', 'system']),
    default: 'shifted',
    flag: 'clock',
    env: 'CLOUDJAR_CLOCK',
    description:
      'Time in the jar: shifted runs at real speed and can be advanced, virtual stands still except when advanced, system cannot be moved.',
  }),
  clockStart: setting({
    kind: timeKind,
    defaultText: "the system's time",
    flag: 'clock-start',
    env: 'CLOUDJAR_CLOCK_START',
    description:
      'Where a virtual clock starts; one that has a stored time goes on from there. A time without a zone is UTC.',
  }),
  strictTokenExpiry: setting({
    kind: switchKind,
    default: false,
    flag: 'strict-token-expiry',
    env: 'CLOUDJAR_STRICT_TOKEN_EXPIRY',
    description:
      "Tokens, codes and sessions end by the jar's clock alone. Otherwise those with a default lifetime are also good until they end by the system's clock, which client libraries go by; docs/identity.md says more.",
  }),
  engine: setting({
    kind: choiceKind(['auto', 'docker', 'kubernetes', 'simulated']),
    default: 'auto',
    flag: 'engine',
    env: 'CLOUDJAR_ENGINE',
    description:
      'What runs container groups: docker is Docker or Podman, kubernetes a cluster, simulated a state machine; auto takes Docker or Podman where one answers and simulates otherwise. docs/containers-engines.md says more.',
  }),
  namespace: setting({
    kind: listKind(prefixKind),
    default: ['Microsoft'],
    flag: 'namespace',
    env: 'CLOUDJAR_NAMESPACE',
    description:
      'Resource provider prefix accepted beside Vendor. Giving it replaces the default, and has answers to requests without a prefix speak it.',
  }),
  allowHttpLoopback: setting({
    kind: switchKind,
    default: false,
    flag: 'allow-http-loopback',
    env: 'CLOUDJAR_ALLOW_HTTP_LOOPBACK',
    description:
      'Plain http addresses on this machine (`localhost`, names below it, loopback addresses) are accepted as webhook endpoints and as storage to export to, where the real service wants https.',
  }),
  smtpPort: setting({
    kind: portKind,
    default: 7425,
    flag: 'smtp-port',
    env: 'CLOUDJAR_SMTP_PORT',
    description:
      'Port on which mail for mailboxes of the jar comes in by SMTP. 0 picks a free one, and so does the default where another program listens on it.',
  }),
  dnsPort: setting({
    kind: portKind,
    defaultText: 'none: there is no name server',
    flag: 'dns-port',
    env: 'CLOUDJAR_DNS_PORT',
    description:
      'Port of a name server, by UDP and TCP, for the names of container groups. 0 picks a free one. docs/containers-names.md says more.',
  }),
  adminKey: setting({
    kind: bearerKind,
    defaultText: 'generated into the file `admin.key` of the data folder',
    env: 'CLOUDJAR_ADMIN_KEY',
    inFile: false,
    secret: true,
    description: 'Key of the control API. Only from the environment: flags show in process lists, files get committed.',
  }),
  secretKey: setting({
    kind: secretKeyKind,
    defaultText: 'generated into the file `secret.key` of the data folder',
    env: 'CLOUDJAR_SECRET_KEY',
    inFile: false,
    secret: true,
    description:
      'Encrypts the secrets in the database. Nodes that share a PostgreSQL database need the same one: set it on each, or copy the file.',
  }),
  seed: setting({
    kind: pathKind,
    flag: 'seed',
    env: 'CLOUDJAR_SEED',
    description:
      'File with what an empty jar starts out with, and what a reset goes back to: JSON by docs/seed.md, or a snapshot file.',
  }),
  passphrase: setting({
    kind: passphraseKind,
    env: 'CLOUDJAR_PASSPHRASE',
    inFile: false,
    secret: true,
    description: 'Opens a seed that is a snapshot file exported with a passphrase. Only from the environment.',
  }),
  changeRetentionDays: setting({
    kind: countKind(1, 36_500),
    default: 7,
    env: 'CLOUDJAR_CHANGE_RETENTION_DAYS',
    description:
      "How many days, by the jar's clock, change records are kept; those that a service has yet to act on are kept longer.",
  }),
  changeRetentionCount: setting({
    kind: countKind(1, 100_000_000),
    default: 100_000,
    env: 'CLOUDJAR_CHANGE_RETENTION_COUNT',
    description:
      'How many change records are kept, the newest; those that a service has yet to act on are kept besides.',
  }),
  largeBodyMegabytes: setting({
    kind: countKind(1, 65_536),
    default: 256,
    env: 'CLOUDJAR_LARGE_BODY_MEGABYTES',
    description:
      'How much memory request bodies of more than a megabyte may take together, in megabytes; further ones get 503. One that is alone is read whatever its size.',
  }),
  largeBodies: setting({
    kind: countKind(1, 10_000),
    default: 64,
    env: 'CLOUDJAR_LARGE_BODIES',
    description:
      'How many request bodies of more than a megabyte are read at once, and how many that are streamed to the disk; further ones get 503.',
  }),
  logLevel: setting({
    kind: choiceKind(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    default: 'info',
    flag: 'log-level',
    env: 'CLOUDJAR_LOG_LEVEL',
    description:
      'The least important log lines to write, on stderr. At info every request has a line; docs/logging.md says more.',
  }),
  logFormat: setting({
    kind: choiceKind(['auto', 'json', 'pretty']),
    default: 'auto',
    flag: 'log-format',
    env: 'CLOUDJAR_LOG_FORMAT',
    description:
      'How log lines are written: json for programs, pretty for people, auto by whether stderr is a terminal.',
  }),
  config: setting({
    kind: pathKind,
    defaultText: '`cloudjar.config.json` in the working folder or above it, if it is there',
    flag: 'config',
    env: 'CLOUDJAR_CONFIG',
    inFile: false,
    description: 'The configuration file.',
  }),
} satisfies Readonly<Record<string, Setting>>;

export type SettingName = keyof typeof SETTINGS;

export const SETTING_LIST: readonly (Setting & { readonly name: SettingName })[] = Object.entries(SETTINGS).map(
  ([name, declared]) => ({ ...(declared as Setting), name: name as SettingName }),
);

export interface CommandLineOption {
  readonly name: SettingName;
  /** `--port <number>` */
  readonly syntax: string;
  readonly description: string;
  readonly choices?: readonly string[];
  readonly repeatable: boolean;
}

/** The options of the command line. It passes values on as typed; `loadConfig` validates them. */
export function commandLineOptions(): CommandLineOption[] {
  return SETTING_LIST.filter((each) => each.flag !== undefined).map(({ name, flag, kind, description, ...rest }) => {
    const fallback = defaultText(rest);
    const notes = [
      kind.choices && `one of ${kind.choices.join(', ')}`,
      kind.repeatable && 'repeatable',
      fallback && `default ${fallback}`,
    ].filter(Boolean);
    return {
      name,
      syntax: `--${flag}${kind.placeholder ? ` <${kind.placeholder}>` : ''}`,
      description: notes.length > 0 ? `${description} (${notes.join('; ')})` : description,
      choices: kind.choices,
      repeatable: kind.repeatable ?? false,
    };
  });
}

/** Text of the default; empty if there is nothing worth showing. */
export function defaultText(setting: Pick<Setting, 'default' | 'defaultText'>): string {
  if (setting.defaultText !== undefined) return setting.defaultText;
  if (setting.default === undefined || setting.default === false) return '';
  return String(setting.default);
}
