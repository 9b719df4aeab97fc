import { parseArgs } from 'node:util';
import { CONTENDERS } from './detectors/index.ts';

export interface BenchOptions {
  /** Names of the detectors, in table order. */
  readonly names: readonly string[];
  readonly quick: boolean;
  readonly write: boolean;
  readonly json: boolean;
  readonly confusions: boolean;
  /** A folder of texts other than those in the repository. */
  readonly texts: string | undefined;
}

export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export function readOptions(args: readonly string[]): BenchOptions {
  const { values } = parsed(args);
  const known = CONTENDERS.map(({ name }) => name);
  const wanted = values.only?.split(',').map((name) => name.trim());
  const unknown = wanted?.filter((name) => !known.includes(name)) ?? [];
  if (unknown.length > 0) {
    throw new UsageError(`no such detector: ${unknown.join(', ')}; there are ${known.join(', ')}`);
  }
  if (values.write && (values.quick || wanted || values.texts !== undefined)) {
    throw new UsageError(
      '--write is only allowed for a complete run over the texts of the repository: use it without other options',
    );
  }
  const { quick, write, json, confusions, texts } = values;
  return { names: known.filter((name) => wanted?.includes(name) ?? true), quick, write, json, confusions, texts };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        only: { type: 'string' },
        texts: { type: 'string' },
        quick: { type: 'boolean', default: false },
        write: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        confusions: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
