import { BadConnectionString, connectionStringParts } from '../../../kernel/outbound/index.ts';
import { readStorageAccount, type StorageAccount } from '../../../kernel/outbound/storage/index.ts';

/** A configured connection, parsed once: a storage account, a broker or a function. */

export interface StorageConnection {
  readonly kind: 'storage';
  readonly account: StorageAccount;
}

export interface BrokerConnection {
  readonly kind: 'broker';
  readonly host: string;
  readonly port: number;
  readonly tls: boolean;
  readonly username: string | undefined;
  readonly password: string | undefined;
  /** Address to use instead of the entity's name; `{name}` is replaced by that name. */
  readonly address: string | undefined;
  /** A service bus, or a broker that behaves like one: it has its own rules for what a sender may request of an address. */
  readonly isServiceBus: boolean;
}

export interface FunctionConnection {
  readonly kind: 'function';
  readonly url: string;
}

export type Connection = StorageConnection | BrokerConnection | FunctionConnection;
export type ConnectionKind = Connection['kind'];

const AMQP_PORT = 5672;
const AMQPS_PORT = 5671;

export function readConnection(text: string, address: string | undefined): Connection {
  if (/^amqps?:\/\//i.test(text)) return readAmqp(text, address);
  if (/^https?:\/\//i.test(text)) return readFunction(text, address);
  if (!/^[^=;]+=/.test(text)) {
    throw new BadConnectionString(
      'is neither a connection string (Name=value;…) nor an amqp://, amqps://, http:// or https:// address',
    );
  }
  const parts = connectionStringParts(text);
  return parts.has('endpoint') ? readServiceBus(parts, address) : readStorage(text, address);
}

function readAmqp(text: string, address: string | undefined): BrokerConnection {
  const url = URL.parse(text);
  if (!url?.hostname) throw new BadConnectionString('is not an address of the form amqp://user:password@host:port');
  if (!['', '/'].includes(url.pathname) || url.search !== '' || url.hash !== '') {
    throw new BadConnectionString("has a path or a query, which are not supported; set 'address' instead");
  }
  const tls = url.protocol === 'amqps:';
  return {
    kind: 'broker',
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (tls ? AMQPS_PORT : AMQP_PORT) : Number(url.port),
    tls,
    username: decoded(url.username),
    password: decoded(url.password),
    address,
    isServiceBus: false,
  };
}

/** `Endpoint=sb://…;SharedAccessKeyName=…;SharedAccessKey=…`, with optional `EntityPath` and `UseDevelopmentEmulator`. */
function readServiceBus(parts: ReadonlyMap<string, string>, address: string | undefined): BrokerConnection {
  const url = URL.parse((parts.get('endpoint') as string).replace(/^sb:/i, 'amqp:'));
  if (url?.protocol !== 'amqp:' || url.hostname === '') throw new BadConnectionString("needs 'Endpoint=sb://host'");
  const [username, password] = [parts.get('sharedaccesskeyname'), parts.get('sharedaccesskey')];
  if (!username || !password) throw new BadConnectionString("needs 'SharedAccessKeyName' and 'SharedAccessKey'");
  const tls = parts.get('usedevelopmentemulator')?.toLowerCase() !== 'true';
  return {
    kind: 'broker',
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (tls ? AMQPS_PORT : AMQP_PORT) : Number(url.port),
    tls,
    username,
    password,
    address: address ?? parts.get('entitypath'),
    isServiceBus: true,
  };
}

function readFunction(text: string, address: string | undefined): FunctionConnection {
  if (!URL.canParse(text)) throw new BadConnectionString('is not an address');
  refuseAddress(address);
  return { kind: 'function', url: text };
}

function readStorage(text: string, address: string | undefined): StorageConnection {
  refuseAddress(address);
  return { kind: 'storage', account: readStorageAccount(text) };
}

function refuseAddress(address: string | undefined): void {
  if (address !== undefined) throw new BadConnectionString("has an 'address', which only brokers support");
}

function decoded(part: string): string | undefined {
  if (part === '') return undefined;
  try {
    return decodeURIComponent(part);
  } catch {
    throw new BadConnectionString('has a user name or a password that is not correctly percent-encoded');
  }
}
