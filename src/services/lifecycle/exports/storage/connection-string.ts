/** A storage account as a connection string describes it. */
export interface StorageAccount {
  readonly name: string;
  /** Where its blobs are, without a final slash. */
  readonly endpoint: string;
  /** One of both: a key to sign requests with, or what is signed already and goes into their addresses. */
  readonly key?: Buffer;
  readonly signature?: string;
}

/** A reason in words that never hold the text itself: there are secrets in it. */
export class BadConnectionString extends Error {}

/** The account that every storage emulator has, with the key that everybody knows. */
const DEVELOPMENT = {
  name: 'devstoreaccount1',
  endpoint: 'http://127.0.0.1:10000/devstoreaccount1',
  key: 'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==',
};

/** Names of accounts are in addresses; those of emulators may be longer than real ones. */
const ACCOUNT_NAME = /^[a-z0-9-]{1,63}$/i;
const HOST_SUFFIX = /^[a-z0-9.-]+(:\d{1,5})?$/i;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

export function readConnectionString(text: string): StorageAccount {
  const parts = readParts(text);
  if (parts.get('usedevelopmentstorage')?.toLowerCase() === 'true') {
    return { ...DEVELOPMENT, key: Buffer.from(DEVELOPMENT.key, 'base64') };
  }
  const endpoint = endpointOf(parts);
  const name = parts.get('accountname') ?? (new URL(endpoint).hostname.split('.', 1)[0] as string);
  const [key, signature] = [parts.get('accountkey'), parts.get('sharedaccesssignature')];
  if (key !== undefined) {
    if (!parts.has('accountname')) throw new BadConnectionString("needs 'AccountName' beside 'AccountKey'");
    if (!BASE64.test(key)) throw new BadConnectionString("has an 'AccountKey' that is not base64");
    return { name, endpoint, key: Buffer.from(key, 'base64') };
  }
  if (!signature) throw new BadConnectionString("needs 'AccountKey' or 'SharedAccessSignature'");
  return { name, endpoint, signature: signature.replace(/^\?/, '') };
}

function endpointOf(parts: ReadonlyMap<string, string>): string {
  const given = parts.get('blobendpoint');
  if (given !== undefined) return checkedEndpoint(given);
  const [name, suffix] = [parts.get('accountname'), parts.get('endpointsuffix')];
  if (!name || !suffix) throw new BadConnectionString("needs 'BlobEndpoint', or 'AccountName' and 'EndpointSuffix'");
  if (!ACCOUNT_NAME.test(name)) throw new BadConnectionString("has an 'AccountName' that cannot be one");
  if (!HOST_SUFFIX.test(suffix)) throw new BadConnectionString("has an 'EndpointSuffix' that is not the end of a host");
  const protocol = parts.get('defaultendpointsprotocol')?.toLowerCase() ?? 'https';
  return checkedEndpoint(`${protocol}://${name}.blob.${suffix}`);
}

function checkedEndpoint(text: string): string {
  const url = URL.parse(text);
  const isPlain = url !== null && url.search === '' && url.hash === '' && url.username === '' && url.password === '';
  if (!isPlain || !/^https?:$/.test(url.protocol)) {
    throw new BadConnectionString('has an endpoint that is not a plain http or https address');
  }
  return url.href.replace(/\/+$/, '');
}

function readParts(text: string): ReadonlyMap<string, string> {
  const parts = new Map<string, string>();
  for (const part of text.split(';')) {
    if (part.trim() === '') continue;
    const equals = part.indexOf('=');
    if (equals < 1) throw new BadConnectionString('is not of the form Name=value;Name=value');
    parts.set(part.slice(0, equals).trim().toLowerCase(), part.slice(equals + 1).trim());
  }
  if (parts.size === 0) throw new BadConnectionString('is empty');
  return parts;
}
