/** What a configured connection says, read once: a storage account, a broker, or a function. */

export interface StorageConnection {
  readonly kind: 'storage';
  /** As the storage clients read it. */
  readonly text: string;
}

export interface BrokerConnection {
  readonly kind: 'broker';
  readonly host: string;
  readonly port: number;
  readonly tls: boolean;
  readonly username: string | undefined;
  readonly password: string | undefined;
  /** Where to send instead of the entity's name, in which `{name}` stands for that name. */
  readonly address: string | undefined;
  /** A service bus, or what behaves like one: it has its own rules for what a sender may ask of an address. */
  readonly isServiceBus: boolean;
}

export interface FunctionConnection {
  readonly kind: 'function';
  readonly url: string;
}

export type Connection = StorageConnection | BrokerConnection | FunctionConnection;
export type ConnectionKind = Connection['kind'];

/** A reason in words that never hold the text itself: there are secrets in it. */
export class BadConnection extends Error {}

const AMQP_PORT = 5672;
const AMQPS_PORT = 5671;
const HTTPS_PART = 'DefaultEndpointsProtocol=https';

export function readConnection(text: string, address: string | undefined): Connection {
  if (/^amqps?:\/\//i.test(text)) return readAmqp(text, address);
  if (/^https?:\/\//i.test(text)) return readFunction(text, address);
  const parts = readParts(text);
  if (parts.has('endpoint')) return readServiceBus(parts, address);
  return readStorage(text, parts, address);
}

function readAmqp(text: string, address: string | undefined): BrokerConnection {
  const url = URL.parse(text);
  if (!url?.hostname) throw new BadConnection('is not an address of the form amqp://user:password@host:port');
  if (!['', '/'].includes(url.pathname) || url.search !== '' || url.hash !== '') {
    throw new BadConnection("has a path or a query, which mean nothing here; say where to send by 'address'");
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

/** `Endpoint=sb://…;SharedAccessKeyName=…;SharedAccessKey=…`, with `EntityPath` and `UseDevelopmentEmulator` where given. */
function readServiceBus(parts: ReadonlyMap<string, string>, address: string | undefined): BrokerConnection {
  const url = URL.parse((parts.get('endpoint') as string).replace(/^sb:/i, 'amqp:'));
  if (url?.protocol !== 'amqp:' || url.hostname === '') throw new BadConnection("needs 'Endpoint=sb://host'");
  const [username, password] = [parts.get('sharedaccesskeyname'), parts.get('sharedaccesskey')];
  if (!username || !password) throw new BadConnection("needs 'SharedAccessKeyName' and 'SharedAccessKey'");
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
  if (!URL.canParse(text)) throw new BadConnection('is not an address');
  refuseAddress(address);
  return { kind: 'function', url: text };
}

function readStorage(text: string, parts: ReadonlyMap<string, string>, address: string | undefined): StorageConnection {
  refuseAddress(address);
  if (parts.get('usedevelopmentstorage')?.toLowerCase() === 'true') return { kind: 'storage', text };
  const hasEndpoint = ['queueendpoint', 'blobendpoint', 'endpointsuffix'].some((name) => parts.has(name));
  const hasKey = parts.has('accountname') && parts.has('accountkey');
  if (!hasKey && !parts.has('sharedaccesssignature')) {
    throw new BadConnection("needs 'AccountName' and 'AccountKey', or 'SharedAccessSignature'");
  }
  if (!hasEndpoint) throw new BadConnection("needs 'EndpointSuffix', or 'QueueEndpoint' and 'BlobEndpoint'");
  // The clients know a connection string with a key by this part alone.
  if (hasKey && !parts.has('defaultendpointsprotocol')) return { kind: 'storage', text: `${HTTPS_PART};${text}` };
  return { kind: 'storage', text };
}

function refuseAddress(address: string | undefined): void {
  if (address !== undefined) throw new BadConnection("has an 'address', which only brokers know");
}

function readParts(text: string): ReadonlyMap<string, string> {
  const parts = new Map<string, string>();
  for (const part of text.split(';')) {
    if (part.trim() === '') continue;
    const equals = part.indexOf('=');
    if (equals < 1) {
      throw new BadConnection('is no connection string (Name=value;…), amqp://, amqps://, http:// or https:// address');
    }
    parts.set(part.slice(0, equals).trim().toLowerCase(), part.slice(equals + 1).trim());
  }
  return parts;
}

function decoded(part: string): string | undefined {
  if (part === '') return undefined;
  try {
    return decodeURIComponent(part);
  } catch {
    throw new BadConnection('has a user name or a password that is not percent-encoded as it should be');
  }
}
