import { invalid, shown } from './errors.ts';
import { attributePath, parseFilter, type ScimFilter } from './filter.ts';

/** `emails[type eq "work"].value`. Names are in lower case. */
export interface PatchPath {
  readonly attribute: string;
  readonly filter?: ScimFilter;
  readonly sub?: string;
}

/** The last bracket ends a filter: texts in the filter may contain brackets. */
const FILTERED = /^([^[\]]+)\[(.*)\](?:\.([A-Za-z$][\w$-]*))?$/s;

export function parsePath(text: string): PatchPath {
  const trimmed = text.trim();
  const filtered = FILTERED.exec(trimmed);
  if (!filtered) {
    if (trimmed.includes('[')) throw invalid('invalidPath', `The path '${shown(text)}' cannot be parsed.`);
    return attributePath(trimmed);
  }
  const [, name = '', filter = '', sub] = filtered;
  const { attribute, sub: inner } = attributePath(name);
  if (inner !== undefined) throw invalid('invalidPath', `The path '${shown(text)}' cannot be parsed.`);
  return { attribute, filter: parseFilter(filter), ...(sub !== undefined && { sub: sub.toLowerCase() }) };
}
