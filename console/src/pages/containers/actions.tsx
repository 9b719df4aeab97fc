import { Play, RotateCw, Square } from 'lucide-react';
import { useState } from 'react';
import { addressOf, useGo } from '../../shared/address.ts';
import { askManagement } from '../../shared/api/arm.ts';
import { useAction } from '../../shared/api/use-action.ts';
import { useRemoval } from '../../shared/api/use-removal.ts';
import { counted } from '../../shared/format/numbers.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Confirm } from '../../shared/ui/confirm.tsx';
import { type FullGroup, pathOf } from './api.ts';

interface Props {
  readonly group: FullGroup;
  readonly after: () => void;
}

const DONE = { start: 'The group is started.', stop: 'The group is stopped.', restart: 'The group is restarted.' };
type Action = keyof typeof DONE;

const ENDED: ReadonlySet<string> = new Set(['Succeeded', 'Failed', 'Stopped']);

export function GroupActions({ group, after }: Props) {
  const go = useGo();
  const [running, setRunning] = useState<Action>();
  const act = useAction(
    async (action: Action) => {
      setRunning(action);
      await askManagement(pathOf(group, `/${action}`), { method: 'POST' }).finally(() => setRunning(undefined));
    },
    { done: (_, action) => DONE[action], after },
  );
  const remove = useRemoval(() => askManagement(pathOf(group), { method: 'DELETE' }), {
    done: 'The group was deleted.',
    after: () => go(addressOf('containers'), { keep: true }),
  });
  const isDown = group.wanted === 'Stopped' || ENDED.has(group.state);
  return (
    <>
      {isDown ? (
        <Button look="main" isDisabled={act.isRunning} onPress={() => void act.run('start')}>
          <Play size={14} aria-hidden /> Start
        </Button>
      ) : (
        <>
          <Button isDisabled={act.isRunning} onPress={() => void act.run('restart')}>
            <RotateCw size={14} aria-hidden /> Restart
          </Button>
          {running === 'stop' ? (
            <Button isDisabled>
              <Square size={14} aria-hidden /> Stopping…
            </Button>
          ) : (
            <Confirm
              label="Stop"
              question="Stop all containers? Files outside of shares are lost."
              isDisabled={act.isRunning}
              onConfirm={() => void act.run('stop')}
            />
          )}
        </>
      )}
      <Confirm
        label="Delete"
        question={`Delete ${group.name} with ${counted(group.containers, 'container')}, logs and volumes?`}
        isDisabled={remove.isRunning}
        onConfirm={() => void remove.run()}
      />
    </>
  );
}
