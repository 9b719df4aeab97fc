import { useData } from '../../../shared/api/use-data.ts';
import { useRemoval } from '../../../shared/api/use-removal.ts';
import { lastSegment } from '../../../shared/format/ids.ts';
import { bytes } from '../../../shared/format/numbers.ts';
import { Time } from '../../../shared/format/time.tsx';
import { useMayChange } from '../../../shared/session.ts';
import { Badge } from '../../../shared/ui/badge.tsx';
import { Confirm } from '../../../shared/ui/confirm.tsx';
import { CopyId } from '../../../shared/ui/copy.tsx';
import { Detail } from '../../../shared/ui/detail.tsx';
import { Stack } from '../../../shared/ui/layout.tsx';
import { FailureNotice } from '../../../shared/ui/notice.tsx';
import { Table } from '../../../shared/ui/table.tsx';
import { usePlatform } from '../api.ts';
import { To, useGoTo } from '../place.tsx';
import { capitalised } from '../words.ts';
import { entriesOf, isFolder, segmentsOf, WORKSPACE, WORKSPACE_CHANGE, type WorkspaceObject } from './api.ts';
import { Content } from './content.tsx';
import { NewFile } from './new-file.tsx';

/** One folder, notebook or file. */
export function ObjectDetail({ path }: { readonly path: string }) {
  const platform = usePlatform();
  const mayChange = useMayChange();
  const goTo = useGoTo();
  const status = useData(
    [platform.key, 'object', path],
    (signal) => platform.get<WorkspaceObject>(`${WORKSPACE}/get-status`, { path }, signal),
    { on: WORKSPACE_CHANGE },
  );
  const remove = useRemoval(() => platform.post(`${WORKSPACE}/delete`, { path, recursive: true }), {
    done: `${path} was deleted.`,
    after: () => goTo('workspace', ...segmentsOf(path).slice(0, -1)),
  });
  const { data } = status;
  if (!data)
    return (
      <Detail kind="Object of the workspace" title={path} failure={status.failure}>
        {null}
      </Detail>
    );
  const folder = isFolder(data);
  return (
    <Detail
      kind={capitalised(data.object_type.toLowerCase().replaceAll('_', ' '))}
      title={path}
      failure={status.failure}
      badges={
        <>
          {data.language !== undefined && <Badge>{data.language.toLowerCase()}</Badge>}
          {data.size !== undefined && <Badge>{bytes(data.size)}</Badge>}
          {data.modified_at !== undefined && <Time at={data.modified_at} />}
          <CopyId id={String(data.object_id)} />
        </>
      }
      actions={
        mayChange && (
          <Confirm
            label="Delete"
            question={folder ? `Delete ${path} with everything in it?` : `Delete ${path}?`}
            onConfirm={() => void remove.run()}
          />
        )
      }
    >
      {folder ? <Entries path={path} /> : <Content object={data} />}
    </Detail>
  );
}

function Entries({ path }: { readonly path: string }) {
  const platform = usePlatform();
  const mayChange = useMayChange();
  const entries = useData([platform.key, 'entries', path], (signal) => entriesOf(platform, path, signal), {
    on: WORKSPACE_CHANGE,
  });
  return (
    <Stack>
      <FailureNotice failure={entries.failure} what="The folder" />
      <Table
        label="Entries of the folder"
        items={entries.data ?? []}
        keyOf={(entry) => entry.path}
        empty={entries.data && 'The folder is empty.'}
        columns={[
          {
            title: 'Name',
            cell: (entry) => <To to={['workspace', ...segmentsOf(entry.path)]}>{lastSegment(entry.path)}</To>,
          },
          { title: 'Kind', cell: (entry) => entry.object_type.toLowerCase().replaceAll('_', ' ') },
          { title: 'Size', isNumber: true, cell: ({ size }) => (size === undefined ? '' : bytes(size)) },
          { title: 'Changed', cell: ({ modified_at }) => modified_at !== undefined && <Time at={modified_at} /> },
        ]}
      />
      {mayChange && <NewFile folder={path} />}
    </Stack>
  );
}
