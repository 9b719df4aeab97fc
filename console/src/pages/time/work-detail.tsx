import { FastForward, RotateCcw } from 'lucide-react';
import { Link } from 'wouter';
import { addressOf, useGo } from '../../shared/address.ts';
import { control, dataOf } from '../../shared/api/control.ts';
import { useAction } from '../../shared/api/use-action.ts';
import { useData } from '../../shared/api/use-data.ts';
import { useRemoval } from '../../shared/api/use-removal.ts';
import { useNow } from '../../shared/format/now.tsx';
import { Time } from '../../shared/format/time.tsx';
import { exact } from '../../shared/format/times.ts';
import { useKeys } from '../../shared/keys.tsx';
import { useMayChange } from '../../shared/session.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Confirm } from '../../shared/ui/confirm.tsx';
import { CopyId } from '../../shared/ui/copy.tsx';
import { Detail } from '../../shared/ui/detail.tsx';
import { JsonView } from '../../shared/ui/json-view.tsx';
import { Facts, Stack } from '../../shared/ui/layout.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { Tabs } from '../../shared/ui/tabs.tsx';
import { effectAddress, TARGET_PARAM, WORK, type WorkItem } from './addresses.ts';
import styles from './sections.module.css';
import { mayMove } from './target.ts';

const PATH = '/_jar/work/{id}';

import { WorkState } from './work-state.tsx';

/** One item of due work: when it runs, and if it was parked, why, and how it goes on. */
export function WorkDetail({ id }: { readonly id: string }) {
  const mayChange = useMayChange();
  const go = useGo();
  const params = { path: { id } };
  const item = useData(['work', 'item', id], (signal) => dataOf(control.GET(PATH, { params, signal })), {
    on: ['work', 'clock'],
  });
  const retry = useAction(() => dataOf(control.POST(`${PATH}/retry`, { params })), {
    done: 'The item runs again, with all of its attempts.',
    after: item.readAgain,
  });
  const remove = useRemoval(() => control.DELETE(PATH, { params }), {
    done: 'The item was removed.',
    after: () => go(addressOf('time', WORK), { keep: true }),
  });
  const { data, failure } = item;
  const isParked = data?.state === 'parked';
  useKeys(mayChange && isParked ? [{ key: 'r', does: 'Retry', run: () => void retry.run() }] : []);
  const isGone = failure?.code === 'NoSuchWork';
  if (!data || isGone)
    return (
      <Detail kind="Due work" title={data?.title ?? id} failure={isGone ? undefined : failure}>
        {isGone && (
          <Notice title="There is no such item any more.">
            It has run, or it was canceled. Items disappear when they are done.
          </Notice>
        )}
      </Detail>
    );
  return (
    <Detail
      kind="Due work"
      title={data.title ?? data.kind}
      failure={failure}
      badges={
        <>
          <WorkState {...data} />
          <CopyId id={data.id} length={32} />
        </>
      }
      actions={
        mayChange &&
        isParked && (
          <>
            <Button onPress={() => void retry.run()} isDisabled={retry.isRunning}>
              <RotateCcw size={14} aria-hidden /> Retry
            </Button>
            <Confirm
              label="Remove"
              question="Remove the item? Its work is never done."
              onConfirm={() => void remove.run()}
            />
          </>
        )
      }
    >
      <Tabs
        label="Due work"
        tabs={[
          { id: 'summary', title: 'Summary', content: () => <Summary item={data} /> },
          { id: 'payload', title: 'Payload', content: () => <JsonView value={data.payload} /> },
          { id: 'json', title: 'JSON', content: () => <JsonView value={data} /> },
        ]}
      />
    </Detail>
  );
}

function Summary({ item }: { readonly item: WorkItem }) {
  const { kind, subject, dueAt, attempts, reason } = item;
  const effect = effectAddress(item);
  return (
    <Stack>
      <Verdict item={item} />
      <Facts
        facts={[
          { label: 'About', value: effect === undefined || !subject ? subject : <Link href={effect}>{subject}</Link> },
          { label: 'Due', value: <Time at={dueAt} /> },
          { label: 'Due exactly', value: exact(Date.parse(dueAt)) },
          { label: 'Attempts', value: String(attempts) },
          reason !== null && { label: 'Last failure', value: reason },
          { label: 'Kind', value: kind },
        ]}
      />
    </Stack>
  );
}

/** When it runs, and if it does not, why not, and what to do. */
function Verdict({ item: { state, dueAt, attempts, reason } }: { readonly item: WorkItem }) {
  const clock = useNow();
  if (state === 'leased') return <Notice title="It is running." />;
  if (state === 'parked')
    return (
      <Notice tone="failure" title={`It failed too often and was given up${reason === null ? '.' : `: ${reason}`}`}>
        Mend the cause, then retry it.
      </Notice>
    );
  if (Date.parse(dueAt) <= clock.now) return <Notice title="It is due and runs next." />;
  return (
    <Notice
      {...(attempts > 0 && { tone: 'warning' as const })}
      title={attempts > 0 ? 'It has failed and is tried again at its due time.' : 'It waits for its due time.'}
      actions={
        mayMove(clock) && (
          <Link className={styles.link} href={`${addressOf('time')}?${TARGET_PARAM}=${encodeURIComponent(dueAt)}`}>
            <FastForward size={14} aria-hidden /> Advance to it
          </Link>
        )
      }
    />
  );
}
