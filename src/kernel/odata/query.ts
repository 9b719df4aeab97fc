import { ODataError } from './errors.ts';

/** The query options of a request, as sent; they are parsed when they are used. */
export interface QueryOptions {
  readonly filter?: string;
  readonly orderBy?: string;
  readonly select?: string;
  readonly expand?: string;
  /** Not parsed here: each service has its own search syntax. */
  readonly search?: string;
  readonly skipToken?: string;
  readonly top?: number;
  readonly skip?: number;
  readonly count?: boolean;
}

type OptionName = keyof QueryOptions;

const NAMES: ReadonlyMap<string, OptionName> = new Map<string, OptionName>([
  ['filter', 'filter'],
  ['orderby', 'orderBy'],
  ['select', 'select'],
  ['expand', 'expand'],
  ['search', 'search'],
  ['skiptoken', 'skipToken'],
  ['top', 'top'],
  ['skip', 'skip'],
  ['count', 'count'],
  // The equivalent in an older protocol version: `allpages` or `none`.
  ['inlinecount', 'count'],
]);

/** Accepts names with and without `$`, in any case. Other parameters are ignored, since they may belong to the service. */
export function readQueryOptions(query: Readonly<Record<string, unknown>>): QueryOptions {
  const options: Record<string, string | number | boolean> = {};
  for (const written in query) {
    const name = NAMES.get((written.startsWith('$') ? written.slice(1) : written).toLowerCase());
    if (name === undefined) continue;
    const value = query[written];
    if (value === undefined) continue;
    const option = `$${name.toLowerCase()}`;
    if (name in options || Array.isArray(value))
      throw new ODataError('Syntax', option, `'${option}' is given more than once`);
    const text = String(value);
    if (name === 'top' || name === 'skip') options[name] = wholeNumber(option, text);
    else if (name === 'count') options[name] = truth(option, text);
    // An empty filter, order or selection is ignored.
    else if (name === 'skipToken' || text.trim() !== '') options[name] = text;
  }
  return options;
}

function wholeNumber(option: string, text: string): number {
  if (!/^\d{1,9}$/.test(text))
    throw new ODataError('InvalidValue', option, `'${option}' must be a whole number; '${text.slice(0, 40)}' is not`);
  return Number(text);
}

function truth(option: string, text: string): boolean {
  const word = text.toLowerCase();
  if (word === 'true' || word === 'allpages') return true;
  if (word === 'false' || word === 'none') return false;
  throw new ODataError('InvalidValue', option, `'${option}' must be true or false; '${text.slice(0, 40)}' is neither`);
}

/** `Prefer: odata.maxpagesize=50`, or `maxpagesize=50`; other preferences are ignored. */
export function preferredPageSize(prefer: string | string[] | undefined): number | undefined {
  const text = Array.isArray(prefer) ? prefer.join(',') : prefer;
  const found =
    text === undefined ? null : /(?:^|[,;\s])(?:odata\.)?maxpagesize\s*=\s*"?(\d{1,9})"?(?:$|[,;\s])/i.exec(text);
  const size = Number(found?.[1] ?? 0);
  return size > 0 ? size : undefined;
}
