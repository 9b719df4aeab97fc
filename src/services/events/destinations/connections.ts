import { ConfigError } from '../../../kernel/config/index.ts';
import { BadConnectionString } from '../../../kernel/outbound/index.ts';
import { type Connection, type ConnectionKind, readConnection } from './connection-strings.ts';

/**
 * The configured connections by resource. Their addresses come from the operator of the jar, not from its users. They therefore bypass the
 * outbound guard, which keeps users from reaching addresses that only the jar can reach: `127.0.0.1` and private addresses are allowed.
 */
export class Connections {
  readonly #known: ReadonlyMap<string, Connection>;

  constructor(known: ReadonlyMap<string, Connection>) {
    this.#known = known;
  }

  /** Finds the connection of the entity, otherwise of its parent: its namespace, account or site. */
  find<Kind extends ConnectionKind>(entityId: string, kind: Kind): Extract<Connection, { kind: Kind }> | undefined {
    if (this.#known.size === 0) return undefined;
    const segments = spellingOf(entityId).split('/');
    const provider = segments.lastIndexOf('providers');
    for (let end = segments.length; end >= provider + 4; end -= 2) {
      const found = this.#known.get(segments.slice(0, end).join('/'));
      if (found?.kind === kind) return found as Extract<Connection, { kind: Kind }>;
    }
    return undefined;
  }
}

/** Kind of connection that resources of a provider need. */
const KINDS: Readonly<Record<string, ConnectionKind>> = {
  storage: 'storage',
  servicebus: 'broker',
  eventhub: 'broker',
  web: 'function',
};

const WANTED: Readonly<Record<ConnectionKind, string>> = {
  storage: 'a storage connection string',
  broker: 'amqp://, amqps:// or a connection string with Endpoint=sb://',
  function: 'an http:// or https:// address',
};

interface ConnectionSettings {
  readonly connections?: Readonly<Record<string, string | { readonly url: string; readonly address?: string }>>;
}

/** Reads the configured connections. Throws a `ConfigError` for an invalid one. */
export function connectionsOf({ connections = {} }: ConnectionSettings): Connections {
  const known = new Map<string, Connection>();
  for (const [id, given] of Object.entries(connections)) {
    const wrong = (reason: string): ConfigError => new ConfigError(`services.events: connections: '${id}' ${reason}`);
    const { url, address } = typeof given === 'string' ? { url: given } : given;
    const key = spellingOf(id);
    const kind = kindOf(key, wrong);
    if (known.has(key)) throw wrong('is given twice, in two spellings');
    try {
      const connection = readConnection(url.trim(), address);
      if (connection.kind !== kind) throw new BadConnectionString(`needs ${WANTED[kind]}`);
      known.set(key, connection);
    } catch (error) {
      if (!(error instanceof BadConnectionString)) throw error;
      throw wrong(error.message);
    }
  }
  return new Connections(known);
}

function kindOf(key: string, wrong: (reason: string) => ConfigError): ConnectionKind {
  const [, namespace, type, name] = /\/providers\/([^/]+)\/([^/]+)\/([^/]+)(?:\/[^/]+\/[^/]+)*$/.exec(key) ?? [];
  if (!key.startsWith('/subscriptions/') || namespace === undefined || !type || !name) {
    throw wrong('is not the id of a resource (/subscriptions/…/providers/…)');
  }
  if (namespace === 'relay') throw wrong('is a hybrid connection; its listeners connect to the jar, see the docs');
  const kind = KINDS[namespace];
  if (kind === undefined) throw wrong(`is not a resource that events can be sent to over a connection`);
  return kind;
}

/** Normalises an id: lower case, without the prefix of its provider. */
export function spellingOf(id: string): string {
  return id
    .toLowerCase()
    .replace(/\/+$/, '')
    .replace(/\/providers\/[^/.]*\./g, '/providers/');
}
