import { useAddressParam } from '../../../shared/address.ts';
import { useData } from '../../../shared/api/use-data.ts';
import { useRemoval } from '../../../shared/api/use-removal.ts';
import { Time } from '../../../shared/format/time.tsx';
import { useMayChange } from '../../../shared/session.ts';
import { Badge } from '../../../shared/ui/badge.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { Confirm } from '../../../shared/ui/confirm.tsx';
import { Detail } from '../../../shared/ui/detail.tsx';
import { JsonView } from '../../../shared/ui/json-view.tsx';
import { Facts, Stack } from '../../../shared/ui/layout.tsx';
import { Table } from '../../../shared/ui/table.tsx';
import { Tabs } from '../../../shared/ui/tabs.tsx';
import { allPages, type Platform, usePlatform } from '../api.ts';
import { MLFLOW, TRACKING_CHANGE } from '../experiments/api.ts';
import { useGoTo } from '../place.tsx';
import { type ModelVersion, type RegisteredModel, STAGE_TONES, type VersionPage } from './api.ts';
import { VersionDetail } from './version-detail.tsx';

/** One registered model: its versions with their stages and aliases. */
export function ModelDetail({ name }: { readonly name: string }) {
  const platform = usePlatform();
  const mayChange = useMayChange();
  const goTo = useGoTo();
  const read = useData([platform.key, 'model', name], (signal) => readModel(platform, name, signal), {
    on: [...TRACKING_CHANGE, 'work'],
  });
  const remove = useRemoval(() => platform.send('DELETE', `${MLFLOW}/registered-models/delete`, { name }), {
    done: 'The model was deleted.',
    after: () => goTo('registry'),
  });
  if (!read.data)
    return (
      <Detail kind="Model" title={name} failure={read.failure}>
        {null}
      </Detail>
    );
  const { model, versions } = read.data;
  return (
    <Detail
      kind="Model"
      title={name}
      failure={read.failure}
      actions={
        mayChange && (
          <Confirm
            label="Delete"
            question={`Delete ${name} with its ${versions.length} versions?`}
            onConfirm={() => void remove.run()}
          />
        )
      }
    >
      <Tabs
        label="Model"
        tabs={[
          { id: 'versions', title: `Versions (${versions.length})`, content: () => <Versions versions={versions} /> },
          { id: 'about', title: 'About', content: () => <About model={model} /> },
          { id: 'json', title: 'JSON', content: () => <JsonView value={model} /> },
        ]}
      />
    </Detail>
  );
}

function Versions({ versions }: { readonly versions: readonly ModelVersion[] }) {
  const [open, setOpen] = useAddressParam('version');
  const opened = versions.find(({ version }) => version === open);
  return (
    <Stack>
      <Table
        label="Versions"
        items={versions}
        keyOf={({ version }) => version}
        empty="The model has no version yet."
        columns={[
          {
            title: 'Version',
            cell: ({ version }) => (
              <Button look="quiet" onPress={() => setOpen(version)}>
                Version {version}
              </Button>
            ),
          },
          {
            title: 'Stage',
            cell: ({ current_stage: stage }) => <Badge tone={STAGE_TONES[stage]}>{stage}</Badge>,
          },
          { title: 'Aliases', cell: ({ aliases = [] }) => aliases.join(', ') },
          { title: 'Status', cell: ({ status }) => status.toLowerCase().replaceAll('_', ' ') },
          { title: 'Created', cell: ({ creation_timestamp }) => <Time at={creation_timestamp} /> },
        ]}
      />
      {opened && <VersionDetail key={opened.version} version={opened} />}
    </Stack>
  );
}

function About({ model }: { readonly model: RegisteredModel }) {
  return (
    <Facts
      facts={[
        { label: 'Description', value: model.description },
        { label: 'Created', value: <Time at={model.creation_timestamp} /> },
        { label: 'Created by', value: model.user_id },
        { label: 'Changed', value: <Time at={model.last_updated_timestamp} /> },
        ...(model.tags ?? []).map(({ key, value }) => ({ label: key, value })),
      ]}
    />
  );
}

async function readModel(platform: Platform, name: string, signal: AbortSignal) {
  const filter = `name = '${name.replaceAll("'", "\\'")}'`;
  const [{ registered_model: model }, { rows: versions }] = await Promise.all([
    platform.get<{ readonly registered_model: RegisteredModel }>(`${MLFLOW}/registered-models/get`, { name }, signal),
    allPages<VersionPage, ModelVersion>(
      (page_token) => platform.get(`${MLFLOW}/model-versions/search`, { filter, page_token }, signal),
      ({ model_versions }) => model_versions,
    ),
  ]);
  return { model, versions };
}
