import { useSegments } from '../../shared/address.ts';
import { Compare } from './compare.tsx';
import { SnapshotList } from './snapshot-list.tsx';

/** The segment below a snapshot where it is compared: `/snapshots/before/compare`. */
const COMPARE = 'compare';

/** States of the jar, saved under a name: restored, compared, shared as files. */
export default function Snapshots() {
  const [name, section, difference] = useSegments('snapshots');
  if (name !== undefined && section === COMPARE) return <Compare key={name} from={name} open={difference} />;
  return <SnapshotList open={name} />;
}
