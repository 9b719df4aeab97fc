import { useState } from 'react';
import { useData } from '../../../shared/api/use-data.ts';
import { lastSegment } from '../../../shared/format/ids.ts';
import { bytes } from '../../../shared/format/numbers.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Row, Soft, Stack } from '../../../shared/ui/layout.tsx';
import { FailureNotice } from '../../../shared/ui/notice.tsx';
import { Table } from '../../../shared/ui/table.tsx';
import { usePlatform } from '../api.ts';
import { MLFLOW } from './api.ts';

interface ArtifactPage {
  readonly root_uri: string;
  readonly files?: readonly { readonly path: string; readonly is_dir: boolean; readonly file_size?: number }[];
}

/** The files of a run, one folder at a time. */
export function Artifacts({ run }: { readonly run: string }) {
  const platform = usePlatform();
  const [folder, setFolder] = useState('');
  const files = useData(
    [platform.key, 'artifacts', run, folder],
    (signal) => platform.get<ArtifactPage>(`${MLFLOW}/artifacts/list`, { run_id: run, path: folder }, signal),
    { on: ['/api/2.0/mlflow', '/api/2.0/mlflow-artifacts', '/ajax-api/2.0/mlflow'], keepPrevious: true },
  );
  return (
    <Stack>
      <FailureNotice failure={files.failure} what="The files" />
      {folder !== '' && (
        <Row>
          <Button onPress={() => setFolder(folder.split('/').slice(0, -1).join('/'))}>Up</Button>
          <Soft>{folder}</Soft>
        </Row>
      )}
      <Table
        label="Files"
        items={files.data?.files ?? []}
        keyOf={({ path }) => path}
        empty={files.data && 'No file was logged.'}
        columns={[
          {
            title: 'File',
            cell: ({ path, is_dir }) =>
              is_dir ? (
                <Button look="quiet" onPress={() => setFolder(path)}>
                  {lastSegment(path)}/
                </Button>
              ) : (
                lastSegment(path)
              ),
          },
          { title: 'Size', isNumber: true, cell: ({ file_size }) => (file_size === undefined ? '' : bytes(file_size)) },
        ]}
      />
    </Stack>
  );
}
