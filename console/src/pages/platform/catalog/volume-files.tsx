import { useAddressParam } from '../../../shared/address.ts';
import { useData } from '../../../shared/api/use-data.ts';
import { bytes } from '../../../shared/format/numbers.ts';
import { Time } from '../../../shared/format/time.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { Row, Soft, Stack } from '../../../shared/ui/layout.tsx';
import { FailureNotice } from '../../../shared/ui/notice.tsx';
import { Table } from '../../../shared/ui/table.tsx';
import { allPages, usePlatform } from '../api.ts';
import { CATALOG_CHANGE } from './api.ts';

interface Entry {
  readonly path: string;
  readonly name: string;
  readonly is_directory: boolean;
  readonly file_size?: number;
  readonly last_modified?: number;
}

interface DirectoryPage {
  readonly contents?: readonly Entry[];
  readonly next_page_token?: string;
}

/** The files of a volume, one folder at a time. */
export function VolumeFiles({ fullName }: { readonly fullName: string }) {
  const platform = usePlatform();
  const [folder = '', setFolder] = useAddressParam('folder');
  const root = `/Volumes/${fullName.split('.').map(encodeURIComponent).join('/')}`;
  const path = folder === '' ? root : `${root}/${folder.split('/').map(encodeURIComponent).join('/')}`;
  const files = useData(
    [platform.key, 'volume', path],
    (signal) =>
      allPages<DirectoryPage, Entry>(
        (page_token) => platform.get(`/api/2.0/fs/directories${path}`, { page_token }, signal),
        ({ contents }) => contents,
      ),
    { on: CATALOG_CHANGE, keepPrevious: true },
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
        label="Files of the volume"
        items={files.data?.rows ?? []}
        keyOf={(entry) => entry.path}
        empty={files.data && 'No file here.'}
        columns={[
          {
            title: 'File',
            cell: ({ name, is_directory }) =>
              is_directory ? (
                <Button look="quiet" onPress={() => setFolder(folder === '' ? name : `${folder}/${name}`)}>
                  {name}/
                </Button>
              ) : (
                name
              ),
          },
          { title: 'Size', isNumber: true, cell: ({ file_size }) => (file_size === undefined ? '' : bytes(file_size)) },
          { title: 'Changed', cell: ({ last_modified }) => <Time at={last_modified} /> },
        ]}
      />
    </Stack>
  );
}
