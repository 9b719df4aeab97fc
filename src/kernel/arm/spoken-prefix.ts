import type { ErrorDetail } from '../http/errors.ts';
import { CANONICAL_PREFIX } from './ids.ts';
import type { ArmCall } from './route.ts';

/** The last provider prefix in a path: `Microsoft` in `…/providers/Microsoft.EventGrid/…`. */
const IN_PATH = /^.*\/providers\/([^./]+)\./i;

/** The provider prefix in a filter: `resourceType eq 'Microsoft.EventGrid/topics'`. */
const IN_FILTER = /'([a-z][\w-]*)\.[\w.]+\/[\w/]+'/i;

/** Name of a provider in a sentence or id. */
const OWN_NAMES = /(?<![\w.])Vendor\.(?=[A-Za-z])/g;

/** The provider prefix that a caller uses: from the path, otherwise from the filter, otherwise the one that the jar was started with. */
export function spokenPrefix(call: Pick<ArmCall, 'path' | 'query' | 'jar'>): string {
  const { namespace, spokenPrefix: otherwise } = call.jar.config;
  const spoken = (IN_PATH.exec(call.path)?.[1] ?? inFilter(call.query))?.toLowerCase();
  if (spoken === undefined) return otherwise;
  if (spoken === CANONICAL_PREFIX.toLowerCase()) return CANONICAL_PREFIX;
  return namespace.find((name) => name.toLowerCase() === spoken) ?? otherwise;
}

function inFilter(query: ArmCall['query']): string | undefined {
  const key = Object.keys(query).find((name) => name.toLowerCase() === '$filter');
  const filter = key === undefined ? undefined : query[key];
  return typeof filter === 'string' ? IN_FILTER.exec(filter)?.[1] : undefined;
}

/** Replaces the canonical prefix of provider names in a text by the caller's. */
export const spokenText = (text: string, prefix: string): string =>
  prefix === CANONICAL_PREFIX ? text : text.replace(OWN_NAMES, `${prefix}.`);

/** Replaces the prefix in the display name of a provider, for example `Vendor Event Grid`. */
export const spokenTitle = (title: string, prefix: string): string => title.replace(/^Vendor(?= )/, prefix);

export const spokenDetails = (details: readonly ErrorDetail[], prefix: string): readonly ErrorDetail[] =>
  prefix === CANONICAL_PREFIX
    ? details
    : details.map((detail) => ({
        ...detail,
        message: spokenText(detail.message, prefix),
        ...(detail.target !== undefined && { target: spokenText(detail.target, prefix) }),
      }));
