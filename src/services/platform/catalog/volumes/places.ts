import type { Reader } from '../../../../kernel/store/index.ts';
import { errors } from '../../errors.ts';
import type { PlatformCall } from '../../jar.ts';
import { namesOn, pathOf } from '../../tree/paths.ts';
import { requirePrivilege, requireReachable } from '../core/access.ts';
import { type Chain, findChain } from '../core/chain.ts';
import { doesNotExist } from '../core/errors.ts';
import { refuseSystem } from '../core/operations.ts';
import type { Securable } from '../core/securables.ts';
import { treeOfVolume } from './tree.ts';

/** Paths of files in volumes: `/Volumes/<catalog>/<schema>/<volume>/…`. */

const ROOT = 'Volumes';
/** `Volumes` and the three names of the volume. */
const HEAD = 4;

/** The service publishes no limit for names; keys of the store have one. */
const LONGEST_NAME = 500;
const MOST_NAMES = 250;

/** A parsed path in a volume, before the volume is looked up. */
export interface VolumePath {
  /** `catalog.schema.volume`. */
  readonly volume: string;
  /** Relative to the volume; empty for the volume itself. */
  readonly names: readonly string[];
  /** The whole path, without doubled or trailing slashes. */
  readonly path: string;
}

export interface VolumePlace extends VolumePath {
  readonly chain: Chain;
  readonly tree: string;
}

/** Whether an address is a path in a volume, with or without the prefix `dbfs:`. */
export const isVolumePath = (address: string): boolean => /^(?:dbfs:)?\/Volumes\//.test(address);

export function volumePath(path: string, field = 'path'): VolumePath {
  const names = namesOn(path.startsWith('dbfs:/') ? path.slice('dbfs:'.length) : path, field);
  if (names[0] !== ROOT)
    throw invalid(`Invalid path: '${path.slice(0, 300)}' is not below /${ROOT}. Paths have the form ${FORM}.`);
  if (names.length < HEAD)
    throw invalid(`Invalid path: '${path.slice(0, 300)}' names no volume. Paths have the form ${FORM}.`);
  if (names.length > MOST_NAMES) throw invalid(`The field '${field}' has more than ${MOST_NAMES} names.`);
  if (names.some((name) => [...name].length > LONGEST_NAME))
    throw invalid(`The field '${field}' has a name of more than ${LONGEST_NAME} characters.`);
  const volume = names.slice(1, HEAD);
  // No volume has a full stop in its name; it would be parsed as a separator of the full name.
  if (volume.some((name) => name.includes('.'))) throw doesNotExist('volume', volume.join('.'));
  return { volume: volume.join('.'), names: names.slice(HEAD), path: pathOf(names) };
}

const FORM = `/${ROOT}/<catalog>/<schema>/<volume>/<path>`;

/** The volume of a path. Throws unless the caller may read it, or write it. */
export async function findVolume(
  reader: Reader,
  call: Pick<PlatformCall, 'facts'>,
  metastore: Securable,
  at: VolumePath,
  { writes = false, lock = false } = {},
): Promise<VolumePlace> {
  const chain = await findChain(reader, metastore, 'volume', at.volume, lock ? { lock: 'share' } : {});
  requirePrivilege(call, chain, writes ? 'WRITE_VOLUME' : 'READ_VOLUME');
  requireReachable(call, chain, { writes });
  if (writes) refuseSystem(chain);
  const { tree } = chain.target.extra ?? {};
  return { ...at, chain, tree: typeof tree === 'string' ? tree : treeOfVolume(chain.target) };
}

const invalid = (reason: string) => errors.INVALID_PARAMETER_VALUE({ reason });
