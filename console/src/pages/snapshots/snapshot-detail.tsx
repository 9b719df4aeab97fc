import { GitCompare, RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { addressOf, useGo } from '../../shared/address.ts';
import { control, dataOf } from '../../shared/api/control.ts';
import { useAction } from '../../shared/api/use-action.ts';
import { useData } from '../../shared/api/use-data.ts';
import { useRemoval } from '../../shared/api/use-removal.ts';
import { bytes, count } from '../../shared/format/numbers.ts';
import { Time } from '../../shared/format/time.tsx';
import { exact } from '../../shared/format/times.ts';
import { useMayChange } from '../../shared/session.ts';
import { Badge } from '../../shared/ui/badge.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { Confirm } from '../../shared/ui/confirm.tsx';
import { Detail } from '../../shared/ui/detail.tsx';
import { JsonView } from '../../shared/ui/json-view.tsx';
import { Facts, Stack } from '../../shared/ui/layout.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { Table } from '../../shared/ui/table.tsx';
import { Tabs } from '../../shared/ui/tabs.tsx';
import { SNAPSHOT_SIGNALS, type Snapshot } from './api.ts';
import { Export } from './export.tsx';
import { RestoreQuestion } from './restore.tsx';

/** One snapshot: what is in it, and what can be done with it. */
export function SnapshotDetail({ name }: { readonly name: string }) {
  const mayChange = useMayChange();
  const go = useGo();
  const params = { path: { name } };
  const snapshot = useData(
    ['snapshot', name],
    (signal) => dataOf(control.GET('/_jar/snapshots/{name}', { params, signal })),
    { on: SNAPSHOT_SIGNALS },
  );
  const [asks, setAsks] = useState(false);
  const [warnings, setWarnings] = useState<readonly string[]>([]);
  const restore = useAction(() => dataOf(control.POST('/_jar/snapshots/{name}/restore', { params })), {
    done: ({ now }) => `Restored ${name}. It is ${exact(Date.parse(now))}.`,
    after: (restored) => setWarnings(restored.warnings),
  });
  const remove = useRemoval(() => control.DELETE('/_jar/snapshots/{name}', { params }), {
    done: 'The snapshot was deleted.',
    after: () => go(addressOf('snapshots'), { keep: true }),
  });
  const { data, failure } = snapshot;
  if (!data || failure?.status === 404)
    return (
      <Detail kind="Snapshot" title={name} failure={failure}>
        {null}
      </Detail>
    );
  return (
    <Detail
      kind="Snapshot"
      title={name}
      failure={failure}
      badges={
        <>
          <Time at={data.takenAt} />
          {data.imported && <Badge tone="info">from a file</Badge>}
        </>
      }
      actions={
        <>
          <Button onPress={() => go(addressOf('snapshots', name, 'compare'))}>
            <GitCompare size={14} aria-hidden /> Compare
          </Button>
          {mayChange && (
            <Button onPress={() => setAsks(true)} isDisabled={asks || restore.isRunning}>
              <RotateCcw size={14} aria-hidden /> Restore
            </Button>
          )}
          {mayChange && (
            <Confirm
              label="Delete"
              question={`Delete ${name}? Its state cannot be restored any more.`}
              onConfirm={() => void remove.run()}
            />
          )}
        </>
      }
    >
      {asks && (
        <RestoreQuestion
          snapshot={data}
          keep={() => setAsks(false)}
          confirm={() => {
            setAsks(false);
            void restore.run();
          }}
        />
      )}
      {warnings.map((warning) => (
        <Notice key={warning} tone="warning" title={warning} />
      ))}
      <Tabs
        label="Snapshot"
        tabs={[
          { id: 'summary', title: 'Summary', content: () => <Summary snapshot={data} /> },
          mayChange && { id: 'export', title: 'Export', content: () => <Export name={name} /> },
          { id: 'json', title: 'JSON', content: () => <JsonView value={data} /> },
        ]}
      />
    </Detail>
  );
}

function Summary({ snapshot: { takenAt, counts, sizes, engine, version } }: { readonly snapshot: Snapshot }) {
  const collections = Object.entries(counts.collections).sort(([, a], [, b]) => b - a);
  return (
    <Stack>
      <Facts
        facts={[
          { label: "The jar's time", value: exact(Date.parse(takenAt)) },
          { label: 'Documents', value: count(counts.documents) },
          counts.rows !== undefined && { label: 'Rows of tables', value: count(counts.rows) },
          { label: 'Due work', value: count(counts.work) },
          { label: 'Change records', value: count(counts.changes) },
          { label: 'Size', value: `${bytes(sizes.content)}, ${bytes(sizes.stored)} stored` },
          { label: 'Taken by', value: `release ${version} on ${engine}` },
        ]}
      />
      <Table
        label="Documents by collection"
        items={collections}
        keyOf={([collection]) => collection}
        columns={[
          { title: 'Collection', cell: ([collection]) => collection },
          { title: 'Documents', isNumber: true, cell: ([, documents]) => count(documents) },
        ]}
        empty="The snapshot contains no documents."
      />
    </Stack>
  );
}
