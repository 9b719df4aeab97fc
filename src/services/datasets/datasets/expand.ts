import { Type } from 'typebox';
import { errors } from '../errors.ts';
import type { Dataset } from '../model/types.ts';

/** What answers show only where the request asks for it. */
const EXPANDABLE = {
  encryption: ({ encryption }: Dataset) => ({ EncryptionStatus: encryption }),
} as const;

export const EXPAND_QUERY = Type.Object({
  $expand: Type.Optional(Type.String({ description: Object.keys(EXPANDABLE).join(', ') })),
});

/** The further properties of a dataset that `$expand` asks for. */
export function expander(expand = ''): (dataset: Dataset) => Readonly<Record<string, unknown>> {
  const names = expand
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const wanted = names.map(expandable);
  return (dataset) => Object.fromEntries(wanted.map((name) => [name, EXPANDABLE[name](dataset)]));
}

function expandable(name: string): keyof typeof EXPANDABLE {
  if (name.toLowerCase() === 'encryption') return 'encryption';
  throw errors.InvalidRequest({ reason: `'$expand' cannot name '${name.slice(0, 60)}'; there is encryption.` });
}
