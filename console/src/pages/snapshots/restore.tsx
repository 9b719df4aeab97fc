import { useData } from '../../shared/api/use-data.ts';
import { exact } from '../../shared/format/times.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Row, Stack } from '../../shared/ui/layout.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { countsSince, type Snapshot, sumOf } from './api.ts';

interface Props {
  readonly snapshot: Snapshot;
  readonly keep: () => void;
  readonly confirm: () => void;
}

/** Asks before all state is replaced, and says what is lost. */
export function RestoreQuestion({ snapshot: { name, takenAt }, keep, confirm }: Props) {
  // Read when the person asks: the state of now is what is lost.
  const counts = useData(['snapshot', name, 'since', 'restore'], (signal) => countsSince(name, signal));
  const sum = counts.data && sumOf(counts.data.collections);
  return (
    <Notice tone="warning" title={`Replace all state and the time by those of ${name}?`}>
      <Stack>
        <span>
          {sum
            ? `Since then ${sum.added} items were added, ${sum.changed} changed and ${sum.removed} removed: these changes are lost.`
            : 'What has happened since then is lost.'}{' '}
          The time goes to {exact(Date.parse(takenAt))}. Save a snapshot first to be able to come back.
        </span>
        <Row>
          <Button look="danger" autoFocus onPress={confirm}>
            Restore {name}
          </Button>
          <Button onPress={keep}>Keep</Button>
        </Row>
      </Stack>
    </Notice>
  );
}
