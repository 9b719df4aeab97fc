import type { ErrorDetail } from '../http/errors.ts';
import { CANONICAL_PREFIX } from './ids.ts';
import type { ArmCall } from './route.ts';

/** The provider prefix that is nearest to the end of a path: `Microsoft` in `…/providers/Microsoft.EventGrid/…`. */
const IN_PATH = /^.*\/providers\/([^./]+)\./i;

/** In a filter: `resourceType eq 'Microsoft.EventGrid/topics'`. */
const IN_FILTER = /'([a-z][\w-]*)\.[\w.]+\/[\w/]+'/i;

/** A name of a provider in a sentence or an id. */
const OWN_NAMES = /(?<![\w.])Vendor\.(?=[A-Za-z])/g;

/** The provider prefix that a caller uses: that of the path, else of the filter, else the one that the jar was started with. */
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

/** A text of the jar with the names of providers as the caller knows them. */
export const spokenText = (text: string, prefix: string): string =>
  prefix === CANONICAL_PREFIX ? text : text.replace(OWN_NAMES, `${prefix}.`);

/** The name of a provider as people know it, `Vendor Event Grid`, as the caller knows it. */
export const spokenTitle = (title: string, prefix: string): string => title.replace(/^Vendor(?= )/, prefix);

export const spokenDetails = (details: readonly ErrorDetail[], prefix: string): readonly ErrorDetail[] =>
  prefix === CANONICAL_PREFIX
    ? details
    : details.map((detail) => ({
        ...detail,
        message: spokenText(detail.message, prefix),
        ...(detail.target !== undefined && { target: spokenText(detail.target, prefix) }),
      }));
