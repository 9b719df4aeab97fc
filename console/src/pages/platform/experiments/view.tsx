import { useSegments } from '../../../shared/address.ts';
import { ExperimentView } from './experiment.tsx';
import { ExperimentList } from './list.tsx';

export default function Experiments() {
  const [, id, run] = useSegments('platform');
  return id === undefined ? <ExperimentList /> : <ExperimentView key={id} id={id} run={run} />;
}
