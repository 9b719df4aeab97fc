import { addressOf, useAddressParam, useGo } from '../../shared/address.ts';
import { control, dataOf } from '../../shared/api/control.ts';
import { useData } from '../../shared/api/use-data.ts';
import { useRemoval } from '../../shared/api/use-removal.ts';
import { bytes, count, counted } from '../../shared/format/numbers.ts';
import { Time } from '../../shared/format/time.tsx';
import { useMayChange } from '../../shared/session.ts';
import { Badge } from '../../shared/ui/badge.tsx';
import { Confirm } from '../../shared/ui/confirm.tsx';
import { CopyId } from '../../shared/ui/copy.tsx';
import { Detail } from '../../shared/ui/detail.tsx';
import { Select } from '../../shared/ui/field.tsx';
import { JsonView } from '../../shared/ui/json-view.tsx';
import { Facts, Soft } from '../../shared/ui/layout.tsx';
import { FailureNotice, Notice } from '../../shared/ui/notice.tsx';
import { Tabs } from '../../shared/ui/tabs.tsx';
import { asOwner, type Dataset } from './api.ts';
import { Limits } from './limits.tsx';
import { LiveTiles } from './live-tiles.tsx';
import { Query } from './query.tsx';
import { Rows } from './rows.tsx';
import { Schema } from './schema.tsx';

/** One dataset: its rows as they arrive, its tables, and queries over them. */
export function DatasetDetail({ id }: { readonly id: string }) {
  const mayChange = useMayChange();
  const go = useGo();
  const dataset = useData(
    ['datasets', 'one', id],
    (signal) => dataOf(control.GET('/_jar/datasets/{dataset}', { params: { path: { dataset: id } }, signal })),
    { on: ['changes', 'work', 'clock'] },
  );
  const remove = useRemoval((which: Dataset) => asOwner(which, 'DELETE'), {
    done: 'The dataset was deleted.',
    after: () => go(addressOf('datasets')),
  });
  const { data } = dataset;
  if (!data)
    return (
      <Detail kind="Dataset" title={id} failure={dataset.failure}>
        {null}
      </Detail>
    );
  return (
    <Detail
      kind="Dataset"
      title={data.name}
      failure={dataset.failure}
      badges={
        <>
          <Badge>{data.mode}</Badge>
          <Badge>{data.retention === 'None' ? 'no retention policy' : data.retention}</Badge>
          <Soft>{counted(data.rows, 'row')}</Soft>
          <CopyId id={data.id} length={36} />
        </>
      }
      actions={
        mayChange && (
          <Confirm
            label="Delete"
            question={`Delete ${data.name} with ${counted(data.rows, 'row')} in ${counted(data.tables.length, 'table')}?`}
            onConfirm={() => void remove.run(data)}
          />
        )
      }
    >
      {data.isPending ? (
        <Notice title="The dataset is being created.">
          It exists when the jar's clock reaches the end of its creation.
        </Notice>
      ) : (
        <DatasetTabs dataset={data} />
      )}
    </Detail>
  );
}

function DatasetTabs({ dataset }: { readonly dataset: Dataset }) {
  const [chosen, choose] = useAddressParam('table');
  const schema = useData(
    ['datasets', 'schema', dataset.id],
    (signal) =>
      dataOf(control.GET('/_jar/datasets/{dataset}/schema', { params: { path: { dataset: dataset.id } }, signal })),
    { on: ['changes'] },
  );
  const tables = schema.data?.tables;
  const table = tables?.find(({ name }) => name === chosen) ?? tables?.[0];
  if (!tables || !table) return <FailureNotice failure={schema.failure} what="The schema" />;
  const choice = tables.length > 1 && (
    <Select
      label="Table"
      value={table.name}
      onChange={choose}
      choices={tables.map(({ name, rows }) => ({ value: name, label: `${name} (${count(rows)})` }))}
    />
  );
  return (
    <Tabs
      label="Dataset"
      tabs={[
        {
          id: 'rows',
          title: 'Rows',
          content: () => <Rows key={table.name} dataset={dataset} table={table} choice={choice} />,
        },
        {
          id: 'live',
          title: 'Live tiles',
          content: () => <LiveTiles dataset={dataset} table={table} choice={choice} />,
        },
        { id: 'query', title: 'Query', content: () => <Query dataset={dataset} tables={tables} /> },
        { id: 'schema', title: 'Tables', content: () => <Schema tables={tables} /> },
        { id: 'limits', title: 'Limits', content: () => <Limits dataset={dataset} /> },
        { id: 'about', title: 'About', content: () => <About dataset={dataset} /> },
        { id: 'json', title: 'JSON', content: () => <JsonView value={{ ...dataset, schema: tables }} /> },
      ]}
    />
  );
}

function About({ dataset }: { readonly dataset: Dataset }) {
  const { workspace, workspaceId, tenantId, configuredBy, createdAt, pushedRows, pushedBytes } = dataset;
  return (
    <Facts
      facts={[
        { label: 'Workspace', value: workspace },
        { label: 'Workspace id', value: <CopyId id={workspaceId} length={40} /> },
        { label: 'Tenant', value: <CopyId id={tenantId} length={40} /> },
        { label: 'Owner', value: configuredBy },
        { label: 'Created', value: <Time at={createdAt} /> },
        { label: 'Pushed so far', value: `${counted(pushedRows, 'row')}, ${bytes(pushedBytes)}` },
      ]}
    />
  );
}
