import { useState } from 'react';
import { useAddressParam } from '../../../shared/address.ts';
import { useAction } from '../../../shared/api/use-action.ts';
import { useData } from '../../../shared/api/use-data.ts';
import { useRemoval } from '../../../shared/api/use-removal.ts';
import { Time } from '../../../shared/format/time.tsx';
import { useMayChange } from '../../../shared/session.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Confirm } from '../../../shared/ui/confirm.tsx';
import { Select, TextField } from '../../../shared/ui/field.tsx';
import { Facts, Row, Section, Stack } from '../../../shared/ui/layout.tsx';
import { Table } from '../../../shared/ui/table.tsx';
import { type Platform, usePlatform } from '../api.ts';
import { MLFLOW, TRACKING_CHANGE, type TrackedRun } from '../experiments/api.ts';
import { To } from '../place.tsx';
import { type Activity, type ModelVersion, STAGES, type Stage, type TransitionRequest } from './api.ts';

/** One version: where it comes from, its stage and aliases, the requests to move it, and what has happened to it. */
export function VersionDetail({ version: { name, version, ...data } }: { readonly version: ModelVersion }) {
  const platform = usePlatform();
  const mayChange = useMayChange();
  const [, open] = useAddressParam('version');
  const [alias, setAlias] = useState('');
  const named = { name, version };
  const history = useData(
    [platform.key, 'version', name, version],
    (signal) => readHistory(platform, named, data.run_id, signal),
    { on: TRACKING_CHANGE },
  );
  const move = useAction(
    (stage: Stage) =>
      platform.post(`${MLFLOW}/model-versions/transition-stage`, {
        ...named,
        stage,
        archive_existing_versions: stage === 'Staging' || stage === 'Production',
      }),
    { done: (_, stage) => `Version ${version} is now in ${stage}.` },
  );
  const decide = useAction(
    (verb: 'approve' | 'reject', stage: Stage) =>
      platform.post(`${MLFLOW}/transition-requests/${verb}`, {
        ...named,
        stage,
        ...(verb === 'approve' && { archive_existing_versions: false }),
      }),
    {},
  );
  const give = useAction(() => platform.post(`${MLFLOW}/registered-models/alias`, { ...named, alias }), {
    inline: true,
    after: () => setAlias(''),
  });
  const takeAway = useAction((each: string) =>
    platform.send('DELETE', `${MLFLOW}/registered-models/alias`, { name, alias: each }),
  );
  const remove = useRemoval(() => platform.send('DELETE', `${MLFLOW}/model-versions/delete`, named), {
    done: `Version ${version} was deleted.`,
    after: () => open(undefined),
  });
  const { run, requests = [], activities = [] } = history.data ?? {};
  return (
    <Section
      title={`Version ${version}`}
      actions={
        mayChange && (
          <Confirm
            label="Delete"
            question={`Delete version ${version}? Its number is not used again.`}
            onConfirm={() => void remove.run()}
          />
        )
      }
    >
      <Stack>
        <Facts
          facts={[
            { label: 'Source', value: data.source },
            run && {
              label: 'Run',
              value: (
                <To to={['experiments', run.info.experiment_id, run.info.run_id]}>{run.info.run_name ?? 'the run'}</To>
              ),
            },
            { label: 'Description', value: data.description },
            { label: 'Status', value: data.status_message },
            { label: 'Created by', value: data.user_id },
            ...(data.tags ?? []).map(({ key, value }) => ({ label: key, value })),
          ]}
        />
        {mayChange && (
          <Row align="end">
            <Select
              label="Stage"
              value={data.current_stage}
              onChange={(stage) => void move.run(stage)}
              choices={STAGES.map((value) => ({ value, label: value }))}
            />
            <TextField
              label="New alias"
              value={alias}
              onChange={setAlias}
              error={give.failure?.message}
              onEnter={() => void give.run()}
            />
            <Button isDisabled={alias.trim() === '' || give.isRunning} onPress={() => void give.run()}>
              Give alias
            </Button>
          </Row>
        )}
        {(data.aliases ?? []).map((each) => (
          <Row key={each}>
            <code>@{each}</code>
            {mayChange && (
              <Button look="quiet" onPress={() => void takeAway.run(each)}>
                Remove alias {each}
              </Button>
            )}
          </Row>
        ))}
        {requests.length > 0 && (
          <Table
            label="Requests to move the version"
            items={requests}
            keyOf={({ id }) => id}
            columns={[
              { title: 'To', cell: ({ to_stage }) => to_stage },
              { title: 'Asked by', cell: ({ user_id }) => user_id },
              { title: 'Comment', cell: ({ comment }) => comment ?? '' },
              {
                title: 'Decide',
                cell: ({ to_stage }) =>
                  mayChange && (
                    <Row>
                      <Button onPress={() => void decide.run('approve', to_stage)}>Approve</Button>
                      <Button onPress={() => void decide.run('reject', to_stage)}>Reject</Button>
                    </Row>
                  ),
              },
            ]}
          />
        )}
        <Table
          label="What happened to the version"
          items={activities.toReversed()}
          keyOf={({ id }) => id}
          empty={history.data && 'Nothing has happened to the version since it was created.'}
          columns={[
            { title: 'What', cell: ({ activity_type: type }) => type.toLowerCase().replaceAll('_', ' ') },
            { title: 'From', cell: ({ from_stage }) => from_stage ?? '' },
            { title: 'To', cell: ({ to_stage }) => to_stage ?? '' },
            { title: 'By', cell: ({ user_id }) => user_id },
            { title: 'When', cell: ({ creation_timestamp }) => <Time at={creation_timestamp} /> },
          ]}
        />
      </Stack>
    </Section>
  );
}

async function readHistory(
  platform: Platform,
  named: Pick<ModelVersion, 'name' | 'version'>,
  runId: string | undefined,
  signal: AbortSignal,
) {
  const [{ requests }, { activities }, run] = await Promise.all([
    platform.get<{ readonly requests?: readonly TransitionRequest[] }>(
      `${MLFLOW}/transition-requests/list`,
      named,
      signal,
    ),
    platform.get<{ readonly activities?: readonly Activity[] }>(`${MLFLOW}/activities/list`, named, signal),
    // The run may have been deleted since.
    runId === undefined
      ? undefined
      : platform
          .get<{ readonly run: TrackedRun }>(`${MLFLOW}/runs/get`, { run_id: runId }, signal)
          .catch(() => undefined),
  ]);
  return { requests, activities, run: run?.run };
}
