import { useSegments } from '../../../shared/address.ts';
import { RunList } from './list.tsx';
import { RunPage } from './run.tsx';

export default function Runs() {
  const [, id, task] = useSegments('platform');
  return id === undefined ? <RunList /> : <RunPage key={id} id={id} task={task} />;
}
