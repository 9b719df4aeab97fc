import { BadConnectionString, connectionStringParts } from '../connection-string.ts';

export type StorageService = 'blob' | 'queue';

/** A storage account, parsed from a connection string. */
export interface StorageAccount {
  readonly name: string;
  /** The addresses of its services, without a trailing slash; a service is absent if the connection string does not include it. */
  readonly endpoints: Readonly<Partial<Record<StorageService, string>>>;
  /** Either a key that signs requests, or a signature that is added to their addresses. */
  readonly key?: Buffer;
  readonly signature?: string;
}

/** The well-known account of every storage emulator, with its public key. */
const DEVELOPMENT = {
  name: 'devstoreaccount1',
  endpoints: {
    blob: 'http://127.0.0.1:10000/devstoreaccount1',
    queue: 'http://127.0.0.1:10001/devstoreaccount1',
  },
  key: 'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==',
};

/** Account names are part of addresses; those of emulators may be longer than real ones. */
const ACCOUNT_NAME = /^[a-z0-9-]{1,63}$/i;
const HOST_SUFFIX = /^[a-z0-9.-]+(:\d{1,5})?$/i;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

const ENDPOINT_PARTS = { blob: 'BlobEndpoint', queue: 'QueueEndpoint' } as const;
const SERVICES = Object.keys(ENDPOINT_PARTS) as readonly StorageService[];

/** Throws `BadConnectionString` if the text has no address for one of the services in `needed`, or no credentials. */
export function readStorageAccount(text: string, needed: readonly StorageService[] = SERVICES): StorageAccount {
  const parts = connectionStringParts(text);
  if (parts.get('usedevelopmentstorage')?.toLowerCase() === 'true') {
    return { ...DEVELOPMENT, key: Buffer.from(DEVELOPMENT.key, 'base64') };
  }
  const endpoints = endpointsOf(parts, needed);
  const [first = ''] = Object.values(endpoints);
  const name = parts.get('accountname') ?? (new URL(first).hostname.split('.', 1)[0] as string);
  const [key, signature] = [parts.get('accountkey'), parts.get('sharedaccesssignature')];
  if (key !== undefined) {
    if (!parts.has('accountname')) throw new BadConnectionString("needs 'AccountName' beside 'AccountKey'");
    if (!BASE64.test(key)) throw new BadConnectionString("has an 'AccountKey' that is not base64");
    return { name, endpoints, key: Buffer.from(key, 'base64') };
  }
  if (!signature) throw new BadConnectionString("needs 'AccountKey' or 'SharedAccessSignature'");
  return { name, endpoints, signature: signature.replace(/^\?/, '') };
}

function endpointsOf(
  parts: ReadonlyMap<string, string>,
  needed: readonly StorageService[],
): Partial<Record<StorageService, string>> {
  const endpoints: Partial<Record<StorageService, string>> = {};
  for (const service of needed) {
    const endpoint = endpointOf(parts, service);
    if (endpoint !== undefined) endpoints[service] = endpoint;
  }
  if (Object.keys(endpoints).length > 0) return endpoints;
  const named = needed.map((service) => `'${ENDPOINT_PARTS[service]}'`).join(' or ');
  throw new BadConnectionString(`needs ${named}, or 'AccountName' and 'EndpointSuffix'`);
}

function endpointOf(parts: ReadonlyMap<string, string>, service: StorageService): string | undefined {
  const given = parts.get(ENDPOINT_PARTS[service].toLowerCase());
  if (given !== undefined) return checkedEndpoint(given);
  const [name, suffix] = [parts.get('accountname'), parts.get('endpointsuffix')];
  if (!name || !suffix) return undefined;
  if (!ACCOUNT_NAME.test(name)) throw new BadConnectionString("has an 'AccountName' that is not valid");
  if (!HOST_SUFFIX.test(suffix)) throw new BadConnectionString("has an 'EndpointSuffix' that is not a host suffix");
  const protocol = parts.get('defaultendpointsprotocol')?.toLowerCase() ?? 'https';
  return checkedEndpoint(`${protocol}://${name}.${service}.${suffix}`);
}

function checkedEndpoint(text: string): string {
  const url = URL.parse(text);
  const isPlain = url !== null && url.search === '' && url.hash === '' && url.username === '' && url.password === '';
  if (!isPlain || !/^https?:$/.test(url.protocol)) {
    throw new BadConnectionString('has an endpoint that is not a plain http or https address');
  }
  return url.href.replace(/\/+$/, '');
}
