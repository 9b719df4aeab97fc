import { useState } from 'react';
import { Link } from 'wouter';
import { useGo } from '../../../shared/address.ts';
import { control, dataOf } from '../../../shared/api/control.ts';
import { useAction } from '../../../shared/api/use-action.ts';
import { useData } from '../../../shared/api/use-data.ts';
import { bytes, counted, milliseconds } from '../../../shared/format/numbers.ts';
import { Time } from '../../../shared/format/time.tsx';
import { useKeys } from '../../../shared/keys.tsx';
import { useMayChange } from '../../../shared/session.ts';
import { Badge, StateBadge } from '../../../shared/ui/badge.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { Confirm } from '../../../shared/ui/confirm.tsx';
import { CopyId } from '../../../shared/ui/copy.tsx';
import { Detail } from '../../../shared/ui/detail.tsx';
import { JsonView } from '../../../shared/ui/json-view.tsx';
import { Facts, Stack } from '../../../shared/ui/layout.tsx';
import { Progress } from '../../../shared/ui/meter.tsx';
import { Notice } from '../../../shared/ui/notice.tsx';
import { Tabs } from '../../../shared/ui/tabs.tsx';
import { addressOfId, type FullRun, isUnderWay, post, runAddress, SIGNALS } from '../api.ts';
import { Results } from './results.tsx';

/** Counts grow without a signal while files are copied. */
const COPYING_MS = 1_000;

export function RunDetail({ id }: { readonly id: string }) {
  const go = useGo();
  const mayChange = useMayChange();
  const [follows, setFollows] = useState(true);
  const run = useData(
    ['datashare', 'run', id],
    async (signal) => {
      const read = await dataOf(
        control.GET('/_jar/datashare/synchronizations/{synchronization}', {
          params: { path: { synchronization: id } },
          signal,
        }),
      );
      setFollows(isUnderWay(read.status));
      return read;
    },
    { on: SIGNALS, everyMs: follows ? COPYING_MS : undefined },
  );
  const { data } = run;
  const subscription = data?.shareSubscriptionId ?? '';
  const again = useAction(() => post(subscription, 'synchronize', { synchronizationMode: data?.mode }), {
    done: 'A new synchronization was started.',
    after: ({ body }) => body.synchronizationId !== undefined && go(runAddress(body.synchronizationId), { keep: true }),
  });
  const cancel = useAction(() => post(subscription, 'cancelSynchronization', { synchronizationId: id }), {
    done: 'Cancelled: no further file is copied.',
    after: run.readAgain,
  });
  const mayAct = mayChange && subscription !== '';
  useKeys(mayAct ? [{ key: 'r', does: 'Synchronize again', run: () => void again.run() }] : []);
  if (!data)
    return (
      <Detail kind="Synchronization" title={id} failure={run.failure}>
        {null}
      </Detail>
    );
  return (
    <Detail
      kind="Synchronization"
      title={subscription.split('/').at(-1) || data.id}
      failure={run.failure}
      badges={
        <>
          <StateBadge state={data.status} />
          <Badge>{data.mode}</Badge>
          <CopyId id={data.id} />
        </>
      }
      actions={
        mayAct &&
        (isUnderWay(data.status) ? (
          <Confirm
            label="Cancel"
            question="Cancel the synchronization? Files that were copied stay."
            isDisabled={cancel.isRunning}
            onConfirm={() => void cancel.run()}
          />
        ) : (
          <Button isDisabled={again.isRunning} onPress={() => void again.run()}>
            Synchronize again
          </Button>
        ))
      }
    >
      <Tabs
        label="Synchronization"
        tabs={[
          { id: 'summary', title: 'Summary', content: () => <Summary run={data} /> },
          { id: 'json', title: 'JSON', content: () => <JsonView value={data} /> },
        ]}
      />
    </Detail>
  );
}

function Summary({ run }: { readonly run: FullRun }) {
  const { queuedAt, startTime, endTime, durationMs, startedBy, shareSubscriptionId, shareId } = run;
  return (
    <Stack>
      <Verdict run={run} />
      <Results results={run.results} />
      <Facts
        facts={[
          {
            label: 'Received as',
            value: shareSubscriptionId && (
              <Link href={addressOfId('received', shareSubscriptionId)}>{shareSubscriptionId.split('/').at(-1)}</Link>
            ),
          },
          {
            label: 'Share',
            value: shareId && <Link href={addressOfId('sent', shareId)}>{shareId.split('/').at(-1)}</Link>,
          },
          { label: 'Consumer', value: `${run.consumerName}, ${run.consumerTenantName}` },
          { label: 'Started by', value: startedBy === 'request' ? 'a request' : 'the schedule of the trigger' },
          { label: 'Queued', value: <Time at={queuedAt} /> },
          startTime !== undefined && { label: 'Started', value: <Time at={startTime} /> },
          endTime !== undefined && { label: 'Ended', value: <Time at={endTime} /> },
          durationMs !== undefined && { label: 'Took', value: milliseconds(durationMs) },
        ]}
      />
    </Stack>
  );
}

/** Did the files arrive, and if not, why not. */
function Verdict({ run }: { readonly run: FullRun }) {
  const { status, message, filesWritten, sizeWritten } = run;
  const copied = `${counted(filesWritten, 'file')}, ${bytes(sizeWritten)}`;
  switch (status) {
    case 'Succeeded':
      return <Notice tone="success" title={filesWritten === 0 ? 'Nothing had changed.' : `Copied: ${copied}.`} />;
    case 'Failed':
      return (
        <Notice tone="failure" title="The synchronization failed.">
          {message}
        </Notice>
      );
    case 'Queued':
      return <Notice title="It waits for a worker." />;
    case 'InProgress':
      return <Progress label={`Copied so far: ${copied}`} />;
    default:
      return (
        <Notice tone="warning" title={`It was ${status.toLowerCase()}.`}>
          {message ?? `Copied before: ${copied}.`}
        </Notice>
      );
  }
}
