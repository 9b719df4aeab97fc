import { bytes, count } from '../../../shared/format/numbers.ts';
import { StateBadge } from '../../../shared/ui/badge.tsx';
import { Soft } from '../../../shared/ui/layout.tsx';
import { Table } from '../../../shared/ui/table.tsx';
import type { FullRun } from '../api.ts';

type Result = FullRun['results'][number];

/** The outcome of each data set; the numbers grow while it is copied. */
export function Results({ results }: { readonly results: readonly Result[] }) {
  return (
    <Table
      label="Data sets"
      items={results}
      keyOf={({ dataSetId }) => dataSetId}
      empty="No data set was begun."
      columns={[
        { title: 'Data set', cell: (result) => <Name result={result} /> },
        { title: 'Status', cell: ({ status }) => <StateBadge state={status} /> },
        { title: 'Files', isNumber: true, cell: ({ filesWritten }) => count(filesWritten) },
        { title: 'Size', isNumber: true, cell: ({ sizeWritten }) => bytes(sizeWritten) },
        { title: 'Read', isNumber: true, cell: ({ filesRead }) => count(filesRead) },
      ]}
    />
  );
}

function Name({ result: { name, kind, message, ...counts } }: { readonly result: Result }) {
  const notes = [
    message,
    counts.filesUnchanged && `${count(counts.filesUnchanged)} unchanged`,
    counts.filesRemoved && `${count(counts.filesRemoved)} removed at the target`,
    counts.entriesSkipped && `${count(counts.entriesSkipped)} skipped: links, pipes and unusable names`,
  ].filter(Boolean);
  return (
    <>
      {name} <Soft>{kind}</Soft>
      {notes.length > 0 && <div>{notes.join('; ')}</div>}
    </>
  );
}
