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

/** Shown whether it is asked for or not. */
const ALWAYS_SHOWN = ['users', 'upstreamDataflows', 'queryScaleOutSettings'];

type Expandable = keyof typeof EXPANDABLE;

/** The further properties of a dataset that `$expand` asks for. */
export function expander(expand = ''): (dataset: Dataset) => Readonly<Record<string, unknown>> {
  const names = expand.split(',').map((name) => name.trim());
  const wanted = names.flatMap((name) => (name === '' ? [] : expandable(name)));
  return (dataset) => Object.fromEntries(wanted.map((name) => [name, EXPANDABLE[name](dataset)]));
}

function expandable(name: string): readonly Expandable[] {
  const lower = name.toLowerCase();
  if (lower === 'encryption') return ['encryption'];
  if (ALWAYS_SHOWN.some((each) => each.toLowerCase() === lower)) return [];
  throw errors.InvalidRequest({ reason: `'$expand' cannot name '${name.slice(0, 60)}'; there is encryption.` });
}
