import { useAction } from '../../../shared/api/use-action.ts';
import { useData } from '../../../shared/api/use-data.ts';
import { Time } from '../../../shared/format/time.tsx';
import { useMayChange } from '../../../shared/session.ts';
import { Badge } from '../../../shared/ui/badge.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { Confirm } from '../../../shared/ui/confirm.tsx';
import { CopyId } from '../../../shared/ui/copy.tsx';
import { Detail } from '../../../shared/ui/detail.tsx';
import { JsonView } from '../../../shared/ui/json-view.tsx';
import { Facts, Stack } from '../../../shared/ui/layout.tsx';
import { Table } from '../../../shared/ui/table.tsx';
import { Tabs } from '../../../shared/ui/tabs.tsx';
import { usePlatform } from '../api.ts';
import { MLFLOW, runName, shownValue, TRACKING_CHANGE, type TrackedRun, toneOfStatus } from './api.ts';
import { Artifacts } from './artifacts.tsx';

interface Props {
  readonly experiment: string;
  readonly id: string;
}

/** One tracked run: what it was given, what it measured, which files it left. */
export function TrackedRunDetail({ id }: Props) {
  const platform = usePlatform();
  const mayChange = useMayChange();
  const run = useData(
    [platform.key, 'tracked run', id],
    (signal) => platform.get<{ readonly run: TrackedRun }>(`${MLFLOW}/runs/get`, { run_id: id }, signal),
    { on: TRACKING_CHANGE },
  );
  const move = useAction((verb: 'delete' | 'restore') => platform.post(`${MLFLOW}/runs/${verb}`, { run_id: id }), {
    after: run.readAgain,
  });
  if (!run.data)
    return (
      <Detail kind="Run" title={id} failure={run.failure}>
        {null}
      </Detail>
    );
  const { run: data } = run.data;
  const { status, lifecycle_stage: stage } = data.info;
  return (
    <Detail
      kind="Run"
      title={runName(data)}
      failure={run.failure}
      badges={
        <>
          <Badge tone={toneOfStatus(status)}>{status.toLowerCase()}</Badge>
          {stage === 'deleted' && <Badge tone="warning">deleted</Badge>}
          <CopyId id={id} />
        </>
      }
      actions={
        mayChange &&
        (stage === 'deleted' ? (
          <Button onPress={() => void move.run('restore')}>Restore</Button>
        ) : (
          <Confirm
            label="Delete"
            question="Delete the run? It can be restored until it is purged."
            onConfirm={() => void move.run('delete')}
          />
        ))
      }
    >
      <Tabs
        label="Run"
        tabs={[
          { id: 'summary', title: 'Summary', content: () => <Summary run={data} /> },
          { id: 'files', title: 'Files', content: () => <Artifacts run={id} /> },
          { id: 'json', title: 'JSON', content: () => <JsonView value={data} /> },
        ]}
      />
    </Detail>
  );
}

function Summary({ run: { info, data } }: { readonly run: TrackedRun }) {
  return (
    <Stack>
      <Facts
        facts={[
          { label: 'Started', value: <Time at={info.start_time} /> },
          { label: 'Ended', value: info.end_time ? <Time at={info.end_time} /> : undefined },
          { label: 'By', value: info.user_id },
          { label: 'Files at', value: info.artifact_uri },
        ]}
      />
      <Table
        label="Metrics"
        items={data.metrics ?? []}
        keyOf={({ key }) => key}
        empty="No metric was logged."
        columns={[
          { title: 'Metric', cell: ({ key }) => key },
          { title: 'Last value', isNumber: true, cell: ({ value }) => shownValue(value) },
          { title: 'Step', isNumber: true, cell: ({ step }) => step ?? 0 },
          { title: 'Logged', cell: ({ timestamp }) => <Time at={timestamp} /> },
        ]}
      />
      <Table
        label="Parameters"
        items={data.params ?? []}
        keyOf={({ key }) => key}
        empty="No parameter was logged."
        columns={[
          { title: 'Parameter', cell: ({ key }) => key },
          { title: 'Value', cell: ({ value }) => value },
        ]}
      />
      <Table
        label="Tags"
        items={data.tags ?? []}
        keyOf={({ key }) => key}
        empty="No tags."
        columns={[
          { title: 'Tag', cell: ({ key }) => key },
          { title: 'Value', cell: ({ value }) => value },
        ]}
      />
    </Stack>
  );
}
