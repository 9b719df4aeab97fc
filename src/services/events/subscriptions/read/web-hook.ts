import type { Destination, Secrets } from '../../definition.ts';
import type { ReadContext } from './context.ts';
import type { Fields } from './fields.ts';

const LONGEST_URL = 8192;
const NEEDS_HTTPS =
  "'endpointUrl' has to be an address with https (on this machine http will do with --allow-http-loopback).";
const TLS_VERSIONS = ['1.0', '1.1', '1.2'] as const;

interface ReadWebHook {
  readonly properties: Destination['properties'];
  readonly endpointUrl: string | undefined;
}

export function readWebHook(fields: Fields, context: ReadContext): ReadWebHook {
  const endpointUrl = readUrl(fields, context);
  const tenant = fields.text('azureActiveDirectoryTenantId');
  const application = fields.text('azureActiveDirectoryApplicationIdOrUri');
  const tls = fields.word('minimumTlsVersionAllowed', TLS_VERSIONS);
  return {
    endpointUrl,
    properties: {
      ...(endpointUrl !== undefined && { endpointBaseUrl: baseOf(endpointUrl) }),
      ...readBatches(fields),
      ...(tenant !== undefined && { azureActiveDirectoryTenantId: tenant }),
      ...(application !== undefined && { azureActiveDirectoryApplicationIdOrUri: application }),
      ...(tls !== undefined && { minimumTlsVersionAllowed: tls }),
    },
  };
}

const DEFAULT_EVENTS = 1;
const DEFAULT_KILOBYTES = 64;

/** Web hooks and functions take several events at once. */
export function readBatches(
  fields: Fields,
): Required<Pick<Destination['properties'], 'maxEventsPerBatch' | 'preferredBatchSizeInKilobytes'>> {
  return {
    maxEventsPerBatch: fields.integer('maxEventsPerBatch', { from: 1, to: 5000 }) ?? DEFAULT_EVENTS,
    preferredBatchSizeInKilobytes:
      fields.integer('preferredBatchSizeInKilobytes', { from: 1, to: 1024 }) ?? DEFAULT_KILOBYTES,
  };
}

/** The address without what may be secret in it. */
export const baseOf = (url: string): string => url.replace(/[?#].*$/s, '').replace(/^([a-z]+:\/\/)[^/]*@/i, '$1');

function readUrl(fields: Fields, context: ReadContext): string | undefined {
  if (!fields.has('endpointUrl') && fields.has('endpointBaseUrl')) return knownUrl(fields, context);
  const value = fields.requiredText('endpointUrl')?.trim();
  if (value === undefined) return undefined;
  const url = value.length > LONGEST_URL ? null : URL.parse(value);
  if (!url || url.hostname === '')
    return fields.wrong(
      'endpointUrl',
      `'endpointUrl' has to be an absolute address of at most ${LONGEST_URL} characters.`,
    );
  const isFine = url.protocol === 'https:' || (url.protocol === 'http:' && context.mayUseHttp(url));
  return isFine ? value : fields.wrong('endpointUrl', NEEDS_HTTPS);
}

/** What a GET has shown comes back without the query: the address is then the one that is known. */
function knownUrl(fields: Fields, { known, knownSecrets }: ReadContext): string | undefined {
  const base = fields.text('endpointBaseUrl');
  if (base === undefined) return undefined;
  const stored: Secrets['endpointUrl'] = knownSecrets.endpointUrl;
  if (stored !== undefined && known?.destination?.properties.endpointBaseUrl === base) return stored;
  return fields.wrong(
    'endpointUrl',
    "'endpointUrl' is required: 'endpointBaseUrl' is not that of the endpoint as it is.",
  );
}
