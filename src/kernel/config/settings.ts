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
    description:
      'Port of the HTTPS server, which has the same services with a certificate of the local CA; 0 picks a free one.',
  }),
  host: setting({
    kind: hostKind,
    default: '127.0.0.1',
    flag: 'host',
    env: 'CLOUDJAR_HOST',
    description: 'Address to listen on. On an address other than loopback, other machines can reach the jar.',
  }),
  publicUrl: setting({
    kind: listKind(urlKind(['http:', 'https:'])),
    default: [],
    flag: 'public-url',
    env: 'CLOUDJAR_PUBLIC_URL',
    description:
      'URL under which clients reach the jar, if it has a public name or a name in a company network. Discovery documents and tokens contain it. If the Host header of a request is not a name of the jar, the first of these URLs is used.',
  }),
  data: setting({
    kind: pathKind,
    default: '.cloudjar',
    flag: 'data',
    env: 'CLOUDJAR_DATA',
    description:
      'Folder for the database, the keys and the local CA; created if it is missing. The default is in the project folder, see docs/reference/cli.md.',
  }),
  memory: setting({
    kind: switchKind,
    default: false,
    flag: 'memory',
    env: 'CLOUDJAR_MEMORY',
    description:
      'Keep all state in memory, so that it is lost when the jar ends. The keys and the local CA still come from the data folder, so that clients can keep theirs.',
  }),
  databaseUrl: setting({
    kind: urlKind(['postgres:', 'postgresql:']),
    flag: 'database-url',
    env: 'CLOUDJAR_DATABASE_URL',
    secret: true,
    description:
      'Store in this PostgreSQL database instead of a SQLite file, so that several nodes of a jar can share it.',
  }),
  databaseTimeoutMs: setting({
    kind: countKind(100, 600_000),
    default: 5000,
    flag: 'database-timeout-ms',
    env: 'CLOUDJAR_DATABASE_TIMEOUT_MS',
    description:
      'Milliseconds after which a PostgreSQL server without a response counts as unavailable: calls get 503 at once until it responds again. A call waits at most twice this long for a connection, and six times this long for one statement.',
  }),
  databaseQueue: setting({
    kind: countKind(1, 1_000_000),
    default: 1000,
    flag: 'database-queue',
    env: 'CLOUDJAR_DATABASE_QUEUE',
    description: 'Maximum number of calls that wait for a connection to PostgreSQL; further ones get 503.',
  }),
  shutdownTimeoutMs: setting({
    kind: countKind(100, 3_600_000),
    default: 20_000,
    flag: 'shutdown-timeout-ms',
    env: 'CLOUDJAR_SHUTDOWN_TIMEOUT_MS',
    description:
      'Maximum duration of a shutdown in milliseconds, even if something hangs. Running requests get up to half of it.',
  }),
  redisUrl: setting({
    kind: urlKind(['redis:', 'rediss:']),
    flag: 'redis-url',
    env: 'CLOUDJAR_REDIS_URL',
    secret: true,
    description:
      'Count rate limits in this Redis or Valkey instead of in memory, so that the nodes of a jar share them; see docs/reference/limits.md.',
  }),
  redisTimeoutMs: setting({
    kind: countKind(10, 600_000),
    default: 2000,
    flag: 'redis-timeout-ms',
    env: 'CLOUDJAR_REDIS_TIMEOUT_MS',
    description:
      'Milliseconds after which a Redis without a response counts as unavailable: it then gets only probes, until it responds to one.',
  }),
  redisFailure: setting({
    kind: choiceKind(['count', 'open', 'closed']),
    default: 'count',
    flag: 'redis-failure',
    env: 'CLOUDJAR_REDIS_FAILURE',
    description:
      'While Redis is unavailable: count rates on each node separately, leave the limits open (nothing is rejected), or closed (503 for every call with a rate limit).',
  }),
  clock: setting({
    kind: choiceKind(['shifted', 'virtual', 'system']),
    default: 'shifted',
    flag: 'clock',
    env: 'CLOUDJAR_CLOCK',
    description:
      'Clock of the jar: shifted runs at real speed and can be advanced, virtual moves only when it is advanced, system cannot be moved.',
  }),
  clockStart: setting({
    kind: timeKind,
    defaultText: "the system's time",
    flag: 'clock-start',
    env: 'CLOUDJAR_CLOCK_START',
    description:
      'Start time of a virtual clock; if a time is stored, the clock continues from there. A time without a zone is UTC.',
  }),
  strictTokenExpiry: setting({
    kind: switchKind,
    default: false,
    flag: 'strict-token-expiry',
    env: 'CLOUDJAR_STRICT_TOKEN_EXPIRY',
    description:
      "Tokens, codes and sessions expire by the jar's clock only. Otherwise those with a default lifetime stay valid until they have also expired by the system's clock, which client libraries use; see docs/services/identity.md.",
  }),
  engine: setting({
    kind: choiceKind(['auto', 'docker', 'kubernetes', 'simulated']),
    default: 'auto',
    flag: 'engine',
    env: 'CLOUDJAR_ENGINE',
    description:
      'Engine that runs container groups: docker is Docker or Podman, kubernetes a cluster, simulated a state machine; auto uses Docker or Podman if one responds, and simulates otherwise. See docs/services/containers-engines.md.',
  }),
  namespace: setting({
    kind: listKind(prefixKind),
    default: ['Microsoft'],
    flag: 'namespace',
    env: 'CLOUDJAR_NAMESPACE',
    description:
      'Resource provider prefix that is accepted in addition to Vendor. Setting it replaces the default; responses to requests without a prefix then use it.',
  }),
  allowHttpLoopback: setting({
    kind: switchKind,
    default: false,
    flag: 'allow-http-loopback',
    env: 'CLOUDJAR_ALLOW_HTTP_LOOPBACK',
    description:
      'Accept plain http URLs on this machine (`localhost`, names below it, loopback addresses) as webhook endpoints and as export storage, although the real service requires https.',
  }),
  smtpPort: setting({
    kind: portKind,
    default: 7425,
    flag: 'smtp-port',
    env: 'CLOUDJAR_SMTP_PORT',
    description:
      'Port of the SMTP server that receives mail for mailboxes of the jar. 0 picks a free one, and so does the default if another program uses it.',
  }),
  dnsPort: setting({
    kind: portKind,
    defaultText: 'none: no name server runs',
    flag: 'dns-port',
    env: 'CLOUDJAR_DNS_PORT',
    description:
      'Port of a name server (UDP and TCP) for the names of container groups. 0 picks a free one. See docs/services/containers-names.md.',
  }),
  adminKey: setting({
    kind: bearerKind,
    defaultText: 'generated into the file `admin.key` of the data folder',
    env: 'CLOUDJAR_ADMIN_KEY',
    inFile: false,
    secret: true,
    description:
      'Key of the control API. Only from the environment: flags are visible in process lists, and files may be committed.',
  }),
  secretKey: setting({
    kind: secretKeyKind,
    defaultText: 'generated into the file `secret.key` of the data folder',
    env: 'CLOUDJAR_SECRET_KEY',
    inFile: false,
    secret: true,
    description:
      'Key that encrypts the secrets in the database. Nodes that share a PostgreSQL database need the same key: set it on each node, or copy the file.',
  }),
  seed: setting({
    kind: pathKind,
    flag: 'seed',
    env: 'CLOUDJAR_SEED',
    description:
      'File with the initial state of an empty jar, which a reset also restores: JSON (see docs/reference/seed.md) or a snapshot file.',
  }),
  passphrase: setting({
    kind: passphraseKind,
    env: 'CLOUDJAR_PASSPHRASE',
    inFile: false,
    secret: true,
    description: 'Passphrase of a seed that is an encrypted snapshot file. Only from the environment.',
  }),
  changeRetentionDays: setting({
    kind: countKind(1, 36_500),
    default: 7,
    env: 'CLOUDJAR_CHANGE_RETENTION_DAYS',
    description:
      "Number of days, by the jar's clock, for which change records are kept; records that a service has not processed yet are kept longer.",
  }),
  changeRetentionCount: setting({
    kind: countKind(1, 100_000_000),
    default: 100_000,
    env: 'CLOUDJAR_CHANGE_RETENTION_COUNT',
    description:
      'Maximum number of change records; the oldest are removed, except those that a service has not processed yet.',
  }),
  largeBodyMegabytes: setting({
    kind: countKind(1, 65_536),
    default: 256,
    env: 'CLOUDJAR_LARGE_BODY_MEGABYTES',
    description:
      'Memory limit, in megabytes, for all request bodies of more than a megabyte together; further ones get 503. A single body is read whatever its size.',
  }),
  largeBodies: setting({
    kind: countKind(1, 10_000),
    default: 64,
    env: 'CLOUDJAR_LARGE_BODIES',
    description:
      'Maximum number of concurrent request bodies of more than a megabyte, and separately of bodies streamed to disk; further ones get 503.',
  }),
  logLevel: setting({
    kind: choiceKind(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    default: 'info',
    flag: 'log-level',
    env: 'CLOUDJAR_LOG_LEVEL',
    description:
      'Minimum level of log lines, which are written to stderr. At info every request has a line; see docs/reference/logging.md.',
  }),
  logFormat: setting({
    kind: choiceKind(['auto', 'json', 'pretty']),
    default: 'auto',
    flag: 'log-format',
    env: 'CLOUDJAR_LOG_FORMAT',
    description:
      'Format of log lines: json for programs, pretty for people; auto is pretty if stderr is a terminal, otherwise json.',
  }),
  config: setting({
    kind: pathKind,
    defaultText: '`cloudjar.config.json` in the working folder or above it, if it exists',
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
